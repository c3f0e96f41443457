exports.options = { vus: 1, iterations: 3 };
exports.url = function (path) { return __ENV.TARGET + path; };
