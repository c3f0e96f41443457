package cli

import (
	"errors"
	"testing"

	"github.com/jsload/jsload/vu/engine"
)

func TestFailIfGeneratorLimited(t *testing.T) {
	for _, tt := range []struct {
		flag bool
		g    *engine.Generator
		code int
	}{
		{true, &engine.Generator{Limit: engine.LimitGenerator, Reason: "why"}, 111},
		{false, &engine.Generator{Limit: engine.LimitGenerator}, 0},
		{true, &engine.Generator{Limit: engine.LimitServer}, 0},
		{true, &engine.Generator{Limit: engine.LimitNone}, 0},
		{true, nil, 0},
	} {
		s := &session{flags: &runFlags{failIfLimited: tt.flag}}
		err := s.limited(engine.Result{Generator: tt.g})
		if (err == nil) != (tt.code == 0) || err != nil && exitCode(err) != tt.code {
			t.Errorf("%+v gives %v", tt, err)
		}
		if (generatorOf(tt.g) == nil) != (tt.g == nil) {
			t.Errorf("%+v: the summary has the wrong generator", tt.g)
		}
	}
	if exitMeaning(111) == "" || exitCode(errors.New("x")) != 255 {
		t.Error("exit codes have no meaning")
	}
}
