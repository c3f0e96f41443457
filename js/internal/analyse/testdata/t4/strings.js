import http from "k6/http";
import { check } from "k6";

const BASE = __ENV.TARGET || "http://127.0.0.1:8000";

export const options = { iterations: 4 };

function slug(title) {
  return title.trim().toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
}

function pad(n, width) {
  return String(n).padStart(width, "0");
}

export default function () {
  var number = "INV-" + pad(__ITER + 7, 6);
  var parts = number.split("-");
  var query = "";
  query += "number=" + encodeURIComponent(number);
  query += "&slug=" + slug("  Größe & Preis: 10 % off! ");
  query += "&upper=" + parts[0].concat("x").toUpperCase();
  query += "&hex=" + (255 + __ITER).toString(16) + "&b36=" + (123456).toString(36);

  var res = http.get(BASE + "/echo?" + query);
  var body = res.body;
  var start = body.indexOf('"slug":"') + '"slug":"'.length;
  var cut = body.substring(start, body.indexOf('"', start));
  check(res, {
    "number": (r) => r.json("query.number") === number && number.length === 10,
    "slug": () => cut === "gr-e-preis-10-off",
    "upper": (r) => r.json("query.upper") === "INVX",
    "hex": (r) => parseInt(r.json("query.hex"), 16) === 255 + __ITER,
    "starts": () => number.startsWith("INV") && number.endsWith(pad(__ITER + 7, 2)),
    "last digit": () => number.slice(-1) === number.charAt(number.length - 1) && number[9] === number.slice(9),
    "unicode": () => "Zoë 🚲".length === 6 && "Zoë 🚲".codePointAt(4) === 0x1f6b2,
  });
  console.log([number, cut, "ab".repeat(3), "x".padEnd(3, "."), " t ".trimStart() + "|", "a,b,,c".split(",").length].join(" "));
  console.log("lines:\n" + "one two".replace("o", "0") + " " + "one two".replaceAll("o", "0"));
}
