package api

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"
)

// document is the outermost object of every answer that is no error.
type document[T any] struct {
	Data T `json:"data"`
}

// resource is one thing that the API tells of.
type resource[T any] struct {
	Type       string `json:"type"`
	ID         string `json:"id"`
	Attributes T      `json:"attributes"`
}

// problems are the answer to a request that failed.
type problems struct {
	Errors []problem `json:"errors"`
}

type problem struct {
	Status string `json:"status"`
	Title  string `json:"title"`
	Detail string `json:"detail"`
}

func write(w http.ResponseWriter, code int, v any) {
	b, err := json.Marshal(v)
	if err != nil {
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(code)
	_, _ = w.Write(b)
}

func writeData[T any](w http.ResponseWriter, data T) { write(w, http.StatusOK, document[T]{data}) }

func writeError(w http.ResponseWriter, code int, detail string) {
	write(w, code, problems{[]problem{{strconv.Itoa(code), http.StatusText(code), detail}}})
}

// readBody returns the body, which must be one JSON text.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	b, err := io.ReadAll(r.Body)
	switch {
	case err != nil:
		writeError(w, http.StatusBadRequest, "Reading the body: "+err.Error())
	case !json.Valid(b):
		writeError(w, http.StatusBadRequest, "The body is not JSON")
	default:
		return b, true
	}
	return nil, false
}
