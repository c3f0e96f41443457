package api

import (
	"context"
	"encoding/json"
	"net/http"
)

// setupData is what setup returned.
type setupData struct {
	Data json.RawMessage `json:"data"`
}

func (s *Server) setup(w http.ResponseWriter, _ *http.Request) {
	data := s.cfg.SetupData()
	if data == nil {
		data = []byte("null")
	}
	writeData(w, resource[setupData]{"setupData", "default", setupData{data}})
}

// replaceSetup takes the body as what setup returned.
func (s *Server) replaceSetup(w http.ResponseWriter, r *http.Request) {
	body, ok := readBody(w, r)
	if !ok {
		return
	}
	s.cfg.SetSetupData(body)
	s.setup(w, r)
}

// runSetup runs the script's setup again.
func (s *Server) runSetup(w http.ResponseWriter, r *http.Request) {
	if s.run(w, r, s.cfg.Live.RunSetup) {
		s.setup(w, r)
	}
}

func (s *Server) runTeardown(w http.ResponseWriter, r *http.Request) {
	if s.run(w, r, s.cfg.Live.RunTeardown) {
		w.WriteHeader(http.StatusOK)
	}
}

// run calls one of the script's phases. A client that goes away does not cut it.
func (s *Server) run(w http.ResponseWriter, r *http.Request, phase func(context.Context) error) bool {
	s.hook.Lock()
	defer s.hook.Unlock()
	err := phase(context.WithoutCancel(r.Context()))
	if err != nil {
		writeError(w, http.StatusInternalServerError, err.Error())
	}
	return err == nil
}
