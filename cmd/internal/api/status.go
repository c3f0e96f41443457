package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/jsload/jsload/vu/engine"
)

// Status is what a run is doing.
type Status struct {
	Status engine.Status `json:"status"`
	Paused bool          `json:"paused"`
	// VUs are those at work, VUsMax those that there may be.
	VUs    int64 `json:"vus"`
	VUsMax int64 `json:"vus-max"`
	// Stopped tells that the run was stopped from outside, Running that it has
	// begun and not ended, Tainted that a threshold is crossed.
	Stopped bool `json:"stopped"`
	Running bool `json:"running"`
	Tainted bool `json:"tainted"`
}

// Change is what a client wants changed; nil leaves a thing as it is.
type Change struct {
	Paused  *bool  `json:"paused,omitempty"`
	Stopped *bool  `json:"stopped,omitempty"`
	VUs     *int64 `json:"vus,omitempty"`
	VUsMax  *int64 `json:"vus-max,omitempty"`
}

const statusType, statusID = "status", "default"

func (s *Server) status(w http.ResponseWriter, _ *http.Request) {
	writeStatus(w, s.read())
}

func writeStatus(w http.ResponseWriter, st Status) {
	writeData(w, resource[Status]{statusType, statusID, st})
}

func (s *Server) read() Status {
	l := s.cfg.Live
	return Status{
		Status: l.Status(), Paused: l.Paused(), VUs: l.VUsActive(), VUsMax: l.VUsMax(),
		Stopped: l.Stopped(), Running: l.Running(), Tainted: l.Tainted(),
	}
}

// changeStatus answers with the status at the instant of the change, and with the
// number of VUs that was asked for: what the run makes of it comes later.
func (s *Server) changeStatus(w http.ResponseWriter, r *http.Request) {
	body, ok := readBody(w, r)
	if !ok {
		return
	}
	var d document[resource[Change]]
	if err := json.Unmarshal(body, &d); err != nil {
		writeError(w, http.StatusBadRequest, "The body is no change of the status: "+typeError(err))
		return
	}
	st := s.read()
	if err := s.change(d.Data.Attributes); err != nil {
		writeError(w, http.StatusConflict, err.Error())
		return
	}
	now := s.read()
	now.Status, now.Running = st.Status, st.Running
	if d.Data.Attributes.VUs != nil {
		now.VUs, _, _ = s.cfg.Live.VUs()
	}
	writeStatus(w, now)
}

// typeError leaves Go's names out of an error about a value.
func typeError(err error) string {
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Sprintf("%s must not be a %s", e.Field, e.Value)
	}
	return err.Error()
}

var errEnded = errors.New("the test has ended")

// change does what is asked, or nothing if a part of it cannot be.
func (s *Server) change(c Change) error {
	l := s.cfg.Live
	steers := c.Paused != nil || c.VUs != nil || c.VUsMax != nil
	if steers && l.Status() >= engine.StatusEnded {
		return errEnded
	}
	if c.VUs != nil || c.VUsMax != nil {
		if err := l.Scale(c.VUs, c.VUsMax); err != nil {
			return err
		}
		s.cfg.Log.Debug("the number of VUs was changed through the REST API")
	}
	switch {
	case c.Paused == nil || *c.Paused == l.Paused():
	case *c.Paused:
		l.Pause()
		s.cfg.Log.Info("the test was paused through the REST API")
	default:
		l.Resume()
		s.cfg.Log.Info("the test goes on, through the REST API")
	}
	if c.Stopped != nil && *c.Stopped {
		l.Stop()
	}
	return nil
}
