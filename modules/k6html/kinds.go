package k6html

import (
	"maps"
	"strings"

	"github.com/dop251/goja"
	"golang.org/x/net/html"
)

// kindMembers are the methods that elements of a tag have beside those of all
// elements; nil for a tag without any.
func kindMembers(tag string) map[string]getter {
	for _, find := range [...]func(string) map[string]getter{linkKinds, controlKinds, mediaKinds, tableKinds, textKinds} {
		if m := find(tag); m != nil {
			return m
		}
	}
	return nil
}

// with joins tables of members.
func with(tables ...map[string]getter) map[string]getter {
	all := map[string]getter{}
	for _, t := range tables {
		maps.Copy(all, t)
	}
	return all
}

// contentText is the text within an element.
func contentText(e *element, _ goja.FunctionCall) goja.Value { return e.value(textOf(e.node)) }

func referrerPolicy() getter {
	return reflectChoice("referrerpolicy", "", "no-referrer", "no-referrer-when-downgrade", "origin",
		"origin-when-cross-origin", "unsafe-url", "same-origin", "strict-origin", "strict-origin-when-cross-origin")
}

// crossOrigin is null without the attribute.
func crossOrigin(e *element, _ goja.FunctionCall) goja.Value {
	v, ok := attribute(e.node, "crossorigin")
	switch {
	case !ok:
		return goja.Null()
	case strings.EqualFold(v, "use-credentials"):
		return e.value("use-credentials")
	}
	return e.value("anonymous")
}

// linkKinds are the elements that point elsewhere.
func linkKinds(tag string) map[string]getter {
	switch tag {
	case "a":
		return with(addressMembers(), map[string]getter{
			"download": reflectText("download"), "hreflang": reflectText("hreflang"), "ping": reflectText("ping"),
			"referrerPolicy": referrerPolicy(), "rel": reflectText("rel"), "relList": reflectWords("rel"),
			"target": reflectText("target"), "text": contentText, "type": reflectText("type"), "name": reflectText("name"),
		})
	case "area":
		return with(addressMembers(), map[string]getter{
			"alt": reflectText("alt"), "coords": reflectText("coords"), "shape": reflectText("shape"),
			"download": reflectText("download"), "ping": reflectText("ping"), "referrerPolicy": referrerPolicy(),
			"rel": reflectText("rel"), "relList": reflectWords("rel"), "target": reflectText("target"),
		})
	case "base":
		return map[string]getter{"href": reflectAddress("href"), "target": reflectText("target")}
	case "link":
		return map[string]getter{
			"as": reflectText("as"), "crossOrigin": crossOrigin, "disabled": reflectFlag("disabled"),
			"href": reflectAddress("href"), "hreflang": reflectText("hreflang"), "integrity": reflectText("integrity"),
			"media": reflectText("media"), "referrerPolicy": referrerPolicy(), "rel": reflectText("rel"),
			"relList": reflectWords("rel"), "rev": reflectText("rev"), "sizes": reflectWords("sizes"),
			"target": reflectText("target"), "type": reflectText("type"),
		}
	case "script":
		return map[string]getter{
			"async": reflectFlag("async"), "charset": reflectText("charset"), "crossOrigin": crossOrigin,
			"defer": reflectFlag("defer"), "event": reflectText("event"), "htmlFor": reflectText("for"),
			"integrity": reflectText("integrity"), "noModule": reflectFlag("nomodule"), "nonce": reflectText("nonce"),
			"referrerPolicy": referrerPolicy(), "src": reflectAddress("src"), "text": contentText, "type": reflectText("type"),
		}
	case "style":
		return map[string]getter{"disabled": reflectFlag("disabled"), "media": reflectText("media"), "nonce": reflectText("nonce"), "type": reflectText("type")}
	case "map":
		return map[string]getter{"name": reflectText("name"), "areas": listOf("area"), "images": (*element).mappedImages}
	}
	return nil
}

// listOf are the elements below one, by tag.
func listOf(tags ...string) getter {
	return func(e *element, _ goja.FunctionCall) goja.Value {
		return e.doc.elementList(descendants(e.node, tags...))
	}
}

// mappedImages are the images that use a map.
func (e *element) mappedImages(goja.FunctionCall) goja.Value {
	name, _ := attribute(e.node, "name")
	var list []*html.Node
	for _, n := range descendants(rootOf(e.node), "img", "object") {
		if use, ok := attribute(n, "usemap"); ok && use == "#"+name {
			list = append(list, n)
		}
	}
	return e.doc.elementList(list)
}

// mediaKinds are the elements that show something.
func mediaKinds(tag string) map[string]getter {
	media := map[string]getter{
		"autoplay": reflectFlag("autoplay"), "controls": reflectFlag("controls"), "crossOrigin": crossOrigin,
		"currentSrc": reflectAddress("src"), "defaultMuted": reflectFlag("muted"), "loop": reflectFlag("loop"),
		"mediaGroup": reflectText("mediagroup"), "muted": reflectFlag("muted"),
		"preload": reflectChoice("preload", "auto", "none", "metadata"), "src": reflectAddress("src"), "textTracks": listOf("track"),
	}
	switch tag {
	case "audio":
		return media
	case "video":
		return with(media, map[string]getter{
			"width": reflectNumber("width", 0), "height": reflectNumber("height", 0), "poster": reflectAddress("poster"),
			"playsInline": reflectFlag("playsinline"),
		})
	case "canvas":
		return map[string]getter{"width": reflectNumber("width", 300), "height": reflectNumber("height", 150)}
	case "embed":
		return map[string]getter{"width": reflectText("width"), "height": reflectText("height"), "src": reflectAddress("src"), "type": reflectText("type")}
	case "iframe":
		return map[string]getter{
			"allowFullscreen": reflectFlag("allowfullscreen"), "height": reflectText("height"), "name": reflectText("name"),
			"referrerPolicy": referrerPolicy(), "sandbox": reflectWords("sandbox"), "src": reflectAddress("src"),
			"srcdoc": reflectText("srcdoc"), "width": reflectText("width"),
		}
	case "img":
		return map[string]getter{
			"alt": reflectText("alt"), "border": reflectText("border"), "crossOrigin": crossOrigin, "currentSrc": reflectAddress("src"),
			"height": reflectNumber("height", 0), "isMap": reflectFlag("ismap"), "longDesc": reflectAddress("longdesc"),
			"name": reflectText("name"), "referrerPolicy": referrerPolicy(), "sizes": reflectText("sizes"),
			"src": reflectAddress("src"), "srcset": reflectText("srcset"), "useMap": reflectText("usemap"), "width": reflectNumber("width", 0),
		}
	case "object":
		return with(formMembers(), map[string]getter{
			"data": reflectAddress("data"), "height": reflectText("height"), "name": reflectText("name"), "type": reflectText("type"),
			"typeMustMatch": reflectFlag("typemustmatch"), "useMap": reflectText("usemap"), "width": reflectText("width"),
		})
	case "param":
		return map[string]getter{"name": reflectText("name"), "value": reflectText("value")}
	case "source":
		return map[string]getter{
			"keySystem": reflectText("keysystem"), "media": reflectText("media"), "sizes": reflectText("sizes"),
			"src": reflectAddress("src"), "srcset": reflectText("srcset"), "type": reflectText("type"),
		}
	case "track":
		return map[string]getter{
			"default": reflectFlag("default"), "kind": reflectChoice("kind", "subtitles", "captions", "descriptions", "chapters", "metadata"),
			"label": reflectText("label"), "src": reflectAddress("src"), "srclang": reflectText("srclang"),
		}
	}
	return nil
}

// textKinds are the elements that mark text.
func textKinds(tag string) map[string]getter {
	switch tag {
	case "blockquote", "q":
		return map[string]getter{"cite": reflectAddress("cite")}
	case "data":
		return map[string]getter{"value": reflectText("value")}
	case "del", "ins":
		return map[string]getter{"cite": reflectAddress("cite"), "dateTime": reflectText("datetime")}
	case "details", "dialog":
		return map[string]getter{"open": reflectFlag("open")}
	case "html":
		return map[string]getter{"version": reflectText("version")}
	case "li":
		return map[string]getter{"type": reflectText("type"), "value": reflectNumber("value", 0)}
	case "meta":
		return map[string]getter{
			"charset": reflectText("charset"), "content": reflectText("content"), "httpEquiv": reflectText("http-equiv"), "name": reflectText("name"),
		}
	case "ol":
		return map[string]getter{"reversed": reflectFlag("reversed"), "start": reflectNumber("start", 1), "type": reflectTextOr("type", "1")}
	case "pre":
		return map[string]getter{"name": reflectText("name"), "width": reflectNumber("width", 0)}
	case "time":
		return map[string]getter{"dateTime": reflectText("datetime")}
	case "title":
		return map[string]getter{"text": contentText}
	case "ul":
		return map[string]getter{"type": reflectText("type")}
	}
	return nil
}
