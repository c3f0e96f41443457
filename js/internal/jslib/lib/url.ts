// url: URL and URLSearchParams, which every script has as globals.

const here: any = globalThis;

export const URL = /* @__PURE__ */ (() => here.URL)();
export const URLSearchParams = /* @__PURE__ */ (() => here.URLSearchParams)();
