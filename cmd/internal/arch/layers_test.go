package arch

// layer is one row of the layering: the packages it speaks of and what they may
// import of this module. A pattern is a path below the module; "/*" at its end
// stands for one more element, "/..." for any number of them, none included.
type layer struct {
	pkg string
	may []string
}

// layers is the layering types <- metrics <- vu <- modules <- js <- cmd. The first
// row that matches a package holds. It is kept in the order of the arrow: a row
// names only packages of rows above it.
var layers = []layer{
	{"types", nil},

	{"metrics/internal/*", nil},
	{"metrics", []string{"metrics/internal/*"}},
	{"metrics/threshold", []string{"metrics"}},
	{"metrics/summary", []string{"metrics", "metrics/threshold"}},
	{"metrics/output", []string{"metrics", "metrics/threshold"}},
	{"metrics/output/internal/*", []string{"metrics"}},
	{"metrics/output/all", []string{"metrics/output", "metrics/output/*"}},
	{"metrics/output/*", []string{"metrics", "metrics/threshold", "metrics/output", "metrics/output/internal/*"}},
	{"metrics/dashboard", []string{"metrics", "metrics/output", "metrics/threshold", "metrics/summary"}},

	{"vu/segment", nil},
	{"vu/value", nil},
	{"vu/secret", nil},
	{"vu/options", []string{"vu/segment"}},
	{"vu/plan", []string{"vu/value"}},
	{"vu/client/proto", nil},
	{"vu/client/proto/transporttest", []string{"vu/client/proto"}},
	{"vu/client/internal/wire", nil},
	{"vu/client/internal/*", []string{"vu/client/proto", "vu/client/internal/wire"}},
	{"vu/client", []string{"vu/client/proto", "vu/client/internal/*"}},
	{"vu/client/clienttest", []string{"vu/client", "vu/client/proto", "vu/client/proto/transporttest"}},
	{"vu/client/*", []string{"vu/client", "vu/client/proto", "vu/client/internal/*"}},
	{"vu/record", []string{"metrics", "vu/client/proto"}},
	{"vu/outcome", []string{"metrics", "vu/client", "vu/client/proto", "vu/record"}},
	{"vu", []string{"vu/options"}},
	{"vu/native", []string{"metrics", "vu", "vu/options", "vu/value", "vu/plan", "vu/client", "vu/client/loop", "vu/client/proto", "vu/record", "vu/outcome"}},
	{"vu/executor", []string{"vu", "vu/options", "vu/segment", "vu/record"}},
	{"vu/engine", []string{"vu", "vu/...", "metrics", "metrics/..."}},

	{"modules/conv", []string{"vu/value"}},
	{"modules/loop", nil},
	{"modules", []string{"metrics", "vu", "vu/value", "vu/secret", "vu/options", "vu/client", "vu/client/proto", "vu/record", "modules/loop"}},
	{"modules/all", []string{"modules", "modules/*"}},
	{"modules/k6html", []string{"modules", "modules/conv"}},
	{"modules/moduletest", []string{"metrics", "modules", "modules/loop", "vu", "vu/client", "vu/options", "vu/record", "vu/secret"}},
	{"modules/k6secrets", []string{"modules", "modules/conv", "vu/secret"}},
	{"modules/k6fs", []string{"modules", "modules/conv"}},
	{"modules/k6csv", []string{"modules", "modules/conv", "modules/k6fs"}},
	{"modules/k6http", []string{
		"modules", "modules/conv", "modules/k6html",
		"metrics", "vu/value", "vu/options", "vu/client", "vu/client/proto", "vu/record", "vu/outcome",
	}},
	{"modules/internal/wsession/wstest", nil},
	{"modules/internal/wsession", []string{
		"modules", "modules/conv",
		"metrics", "vu/client", "vu/client/proto", "vu/client/ws", "vu/record",
	}},
	{"modules/k6grpc/internal/*", []string{"modules/conv"}},
	{"modules/k6grpc", []string{
		"modules", "modules/conv", "modules/k6grpc/internal/*",
		"metrics", "vu/options", "vu/client", "vu/record",
	}},
	{"modules/k6ws", []string{"modules", "modules/conv", "modules/internal/wsession", "vu/client/ws"}},
	{"modules/k6websockets", []string{"modules", "modules/conv", "modules/internal/wsession", "vu/client/ws"}},
	{"modules/*", []string{
		"modules", "modules/conv", "modules/loop",
		"metrics", "vu", "vu/value", "vu/options", "vu/client", "vu/client/proto", "vu/record",
	}},

	{"js/internal/source", nil},
	{"js/internal/jslib", nil},
	{"js/internal/bundle", []string{"js/internal/source", "js/internal/jslib"}},
	{"js/internal/analyse", []string{"js/internal/source", "js/internal/bundle", "vu/plan", "vu/value", "vu/options"}},
	{"js/internal/runtime", []string{"js/internal/source", "js/internal/bundle", "modules", "modules/conv", "modules/loop", "vu", "vu/value"}},
	{"js/internal/surface", []string{"js/internal/runtime", "modules", "modules/all", "vu/options"}},
	{"js/internal/survey", []string{"js/internal/bundle"}},
	{"js/internal/script", []string{
		"js/internal/runtime", "modules", "modules/conv", "modules/loop",
		"metrics", "vu", "vu/options", "vu/client", "vu/client/proto", "vu/record",
	}},
	{"js", []string{"js/internal/*", "modules/...", "vu/...", "metrics/...", "types"}},

	{"benchmarks/target", nil},
	{"benchmarks/compare", []string{"benchmarks/target"}},
	{"benchmarks/exactness", nil},

	{"cmd/internal/env", nil},
	{"cmd/internal/term", nil},
	{"cmd/internal/arch", nil},
	{"cmd/internal/api", []string{"vu", "vu/...", "metrics", "metrics/..."}},
	{"cmd/internal/cli", []string{
		"cmd/internal/api", "cmd/internal/env", "cmd/internal/term", "benchmarks/target", "benchmarks/compare",
		"js", "modules/...", "vu/...", "metrics/...", "types",
	}},
	{"cmd/jsload", []string{"cmd/internal/cli", "cmd/internal/env"}},

	{"examples", nil},
}

// fence keeps a third-party package to where it may be used.
type fence struct {
	// imports are import paths; each also stands for what lies below it.
	imports []string
	may     []string
	reason  string
}

var fences = []fence{
	{[]string{"github.com/dop251/goja"}, []string{"modules/...", "js/..."},
		"the native tier and the engine must run without a JavaScript engine"},
	{[]string{"github.com/evanw/esbuild"}, []string{"js/internal/bundle"},
		"everything behind the bundler sees plain programs"},
	{[]string{"github.com/valyala/fasthttp", "golang.org/x/net/http2", "github.com/quic-go/quic-go"}, []string{"vu/client/...", "benchmarks/target"},
		"a protocol engine is a detail of the client"},
	{[]string{"github.com/gorilla/websocket"}, []string{"vu/client/ws", "benchmarks/target", "modules/internal/wsession/wstest"},
		"a protocol engine is a detail of the client"},
	{[]string{"google.golang.org/grpc", "github.com/bufbuild/protocompile"}, []string{"modules/k6grpc/..."},
		"gRPC is a matter of one module"},
	{[]string{"github.com/PuerkitoBio/goquery", "github.com/andybalholm/cascadia"}, []string{"modules/k6html"},
		"documents are a matter of one module"},
	{[]string{"github.com/HdrHistogram/hdrhistogram-go"}, []string{"metrics/internal/hist"},
		"one place knows how durations are bucketed"},
	{[]string{"github.com/spf13/cobra", "github.com/spf13/pflag"}, []string{"cmd/..."},
		"flags are a matter of the command line"},
	{[]string{"go.k6.io", "github.com/grafana"}, nil,
		"nothing of the reference tool is used, by licence and by design"},
	{[]string{"math/rand"}, []string{"modules"},
		"math/rand/v2 is better; randomSeed alone keeps the numbers that scripts know"},
	{[]string{"github.com/pkg/errors", "io/ioutil"}, nil,
		"the standard library has a better one: errors, os and io"},
}
