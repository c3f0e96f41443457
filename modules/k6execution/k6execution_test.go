package k6execution_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/k6execution"
	"github.com/jsload/jsload/modules/moduletest"
	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/options"
)

func TestMembers(t *testing.T) {
	b := moduletest.New(t, k6execution.New(), moduletest.Config{})
	b.Host.VU.ID = vu.ID{InInstance: 3, InTest: 30}
	b.Host.VU.Iteration = vu.Iteration{InInstance: 4, InTest: 40}
	b.Host.VU.IterationInScenario, b.Host.VU.IterationInInstance = 5, 6
	b.Host.VU.Scenario = &vu.Scenario{Name: "s", Executor: "e", Start: time.UnixMilli(1234), Progress: func() float64 { return 0.25 }}
	b.Host.Run.Stats = func() modules.Stats {
		return modules.Stats{Elapsed: 1500 * time.Microsecond, Complete: 7, Interrupted: 8, VUsActive: 9, VUsPrepared: 10}
	}
	for snippet, want := range map[string]string{
		`JSON.stringify(m.scenario)`: `{"name":"s","executor":"e","startTime":1234,"progress":0.25,"iterationInInstance":4,"iterationInTest":40}`,
		`JSON.stringify(m.instance)`: `{"currentTestRunDuration":1.5,"iterationsCompleted":7,"iterationsInterrupted":8,"vusActive":9,"vusInitialized":10}`,
		`m.vu.idInInstance + ' ' + m.vu.idInTest + ' ' + m.vu.iterationInInstance + ' ' + m.vu.iterationInScenario`: "3 30 6 5",
		`Object.keys(m.vu).join()`:                                         "idInInstance,idInTest,iterationInInstance,iterationInScenario,metrics,tags",
		`Object.keys(m.test).join()`:                                       "abort,fail,options",
		`m.vu.metrics.tags === m.vu.tags && m.vu.metrics === m.vu.metrics`: "true",
		`m.scenario.other`:                                                 "undefined",
	} {
		b.Want("return "+snippet, want)
	}
	b.Throws(`m.scenario.name = 'x'`, "Cannot assign to read only property")
}

func TestTagsAndMetadata(t *testing.T) {
	b := moduletest.New(t, k6execution.New(), moduletest.Config{Tap: true})
	b.Want(`const { tags, metadata } = m.vu.metrics; tags.a = 'x'; tags.n = 5; tags.b = true; delete tags.scenario; metadata.trace = 'id';
		return [JSON.stringify(tags), 'a' in tags, tags.none, tags.n === '5', Object.keys(metadata).join(), metadata.trace, 'x' in metadata, delete metadata.trace, metadata.trace].join(' ')`,
		`{"a":"x","b":"true","group":"","n":"5"} true  true trace id false true `)
	for _, value := range []string{"null", "undefined", "{}", "[1]"} {
		b.Throws(`m.vu.metrics.tags.x = `+value, `invalid value for metric tag "x"`)
		b.Throws(`m.vu.metrics.metadata.x = `+value, `invalid value for metric metadata "x"`)
	}
}

// TestStages checks what cannot be asked where.
func TestStages(t *testing.T) {
	b := moduletest.New(t, k6execution.New(), moduletest.Config{Init: true})
	for snippet, want := range map[string]string{
		`m.scenario.name`: "outside of the VU context", `m.vu.idInTest`: "in the init context", `m.test.options`: "in the init context",
		`m.test.fail()`: "in the init context", `m.vu.metrics`: "in the init context",
	} {
		b.Throws(snippet, want)
	}
	b.Want(`return m.instance.vusActive`, "0")
	for _, stage := range []modules.Stage{modules.StageTeardown, modules.StageSummary} {
		b.Host.Stage = stage
		b.Throws(`m.instance.vusActive`, "not supported in teardown() and handleSummary()")
	}
	setup := moduletest.New(t, k6execution.New(), moduletest.Config{})
	setup.Host.Stage, setup.Host.VU.Scenario = modules.StageSetup, nil
	setup.Throws(`m.scenario.name`, "outside of the VU context")
	setup.Want(`return m.vu.idInTest`, "1")
}

func TestOptions(t *testing.T) {
	b := moduletest.New(t, k6execution.New(), moduletest.Config{Options: &options.Options{UserAgent: options.Null[string]{Set: true, V: "me"}}})
	b.Want(`'use strict'; const o = m.test.options; let threw = false; try { o.userAgent = 'x' } catch { threw = true } return [o.userAgent, o.rps, o === m.test.options, Object.isFrozen(o), threw].join(' ')`, "me  true true true")
}

func TestAbortAndFail(t *testing.T) {
	b := moduletest.New(t, k6execution.New(), moduletest.Config{})
	var failed []string
	b.Host.Run.MarkFailed = func(message string) { failed = append(failed, message) }
	b.Text(`m.test.fail('why'); m.test.fail()`)
	if strings.Join(failed, ",") != "why," {
		t.Errorf("marked %q", failed)
	}
	for snippet, want := range map[string]string{`m.test.abort()`: "test aborted", `m.test.abort('enough')`: "test aborted: enough"} {
		_, err := b.Eval(`try { ` + snippet + `; for (;;) {} } catch (e) { return 'caught' }`)
		a, ok := errors.AsType[*vu.Abort](err)
		if !ok || a.Message != want || a.Code != vu.ExitAborted {
			t.Errorf("%s ended with %v", snippet, err)
		}
		b.Host.Runtime.ClearInterrupt()
	}
}
