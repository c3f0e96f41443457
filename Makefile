# Run "make help" for what there is.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# Static binaries, and one build cache for all targets but race.
export CGO_ENABLED := 0

GO      ?= go
JSLOAD  := bin/jsload
GOTEST  := $(GO) run ./.ci/gotest
CI      := ./.ci/gate ./.ci/gotest

# The corpus that judges script behaviour, if it lies beside the repository.
CORPUS   ?= ../shared/conformance
# Only these cases of it, as a regular expression over AREA/NAME.
ONLY     ?=
# For make fuzz: time per target. For make bench: packages and runs.
FUZZTIME ?= 20s
BENCH    ?= .
PKG      ?= ./...
COUNT    ?= 1
# For make demo.
VUS      ?= 256
DURATION ?= 5s

.PHONY: help
help: ## show this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## build bin/jsload
	@$(GO) build -o $(JSLOAD) ./cmd/jsload

.PHONY: install
install: ## install jsload into the folder of Go's programs
	@$(GO) install -trimpath ./cmd/jsload

.PHONY: demo
demo: build ## load the built-in target with 256 virtual users for a few seconds
	@$(JSLOAD) run --with-target --vus $(VUS) --duration $(DURATION) examples/quickstart.js

.PHONY: test
test: ## everything that needs no corpus, in stages, to the end even if one fails
	@code=0; for stage in lint-ci unit race scripts; do .ci/stage $$stage $(MAKE) --no-print-directory $$stage || code=1; done; exit $$code

# What unit and race leave to stages of its own: the layering test, and the packages
# that run the real binary.
APART := /cmd/internal/(arch|cli)$$

.PHONY: unit
unit: ## unit tests
	@$(GOTEST) -shuffle=on $$($(GO) list ./... | grep -Ev '$(APART)') $(CI)

.PHONY: race
race: ## unit tests under the race detector (needs a C compiler)
	@.ci/need gcc
	@export CGO_ENABLED=1; $(GOTEST) -race -shuffle=on $$($(GO) list ./... | grep -Ev '$(APART)')

.PHONY: scripts
scripts: ## scripts of the command line and of examples/, with the real binary
	@$(GOTEST) ./cmd/internal/cli

.PHONY: examples
examples: ## every script of examples/, with the real binary against the target
	@$(GOTEST) -run '^TestExamples' ./cmd/internal/cli

.PHONY: e2e
e2e: scripts ## all tests that run the real binary

.PHONY: lint-ci
lint-ci: bin/staticcheck ## the linters of make test: gofmt, go vet, staticcheck, layering
	@unformatted=$$(gofmt -l .); [ -z "$$unformatted" ] || { echo "not formatted: $$unformatted"; exit 1; }
	@$(GO) vet ./... $(CI)
	@bin/staticcheck ./... $(CI)
	@$(GOTEST) ./cmd/internal/arch

.PHONY: lint
lint: bin/golangci-lint lint-ci ## all linters, golangci-lint too
	@bin/golangci-lint run ./... $(CI)

# Built from the versions in tools/go.mod, and again when those change.
bin/staticcheck: tools/go.mod
	@$(GO) build -C tools -o ../$@ honnef.co/go/tools/cmd/staticcheck
bin/golangci-lint: tools/go.mod
	@$(GO) build -C tools -o ../$@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint
bin/benchstat: tools/go.mod
	@$(GO) build -C tools -o ../$@ golang.org/x/perf/cmd/benchstat

.PHONY: fuzz
fuzz: ## every fuzz target for FUZZTIME
	@.ci/fuzz $(FUZZTIME)

.PHONY: bench
bench: ## Go benchmarks: BENCH=regexp PKG=packages COUNT=runs
	@$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -count $(COUNT) $$($(GO) list -f '{{if .TestGoFiles}}{{.ImportPath}}{{end}}' $(PKG))

.PHONY: compare
compare: build ## CPU per request of jsload and wrk, in turn, against the lean target
	@.ci/need wrk
	@$(GO) run ./benchmarks/compare -jsload $(JSLOAD)

.PHONY: exactness
exactness: build ## schedules against the real target: counts, start delays, a stall, ramps (about 10 minutes)
	@$(GO) run ./benchmarks/exactness -jsload $(JSLOAD)

.PHONY: golden
golden: ## write the golden files anew; look at the diff afterwards
	@for dir in $$(grep -rl --include='*_test.go' 'flag.Bool("update"' . | xargs -n1 dirname | sort -u); do $(GO) test "./$$dir" -update; done

.PHONY: conformance
conformance: build ## the conformance corpus, if it is there: ONLY=regexp
	@$(GO) run ./.ci/gate -bin $(JSLOAD) -corpus '$(CORPUS)' -only '$(ONLY)'

.PHONY: pending
pending: build ## write .ci/conformance-pending.txt from what fails now, keeping reasons
	@$(GO) run ./.ci/gate -bin $(JSLOAD) -corpus '$(CORPUS)' -update

.PHONY: check
check: ## what CI runs
	@.ci/run

.PHONY: clean
clean: ## remove what was built
	@rm -rf bin
