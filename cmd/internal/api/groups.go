package api

import (
	"net/http"

	"github.com/jsload/jsload/metrics"
)

// group is a group of checks. Its own path and name are empty at the root.
type group struct {
	Path   string  `json:"path"`
	Name   string  `json:"name"`
	Checks []check `json:"checks"`
}

type check struct {
	ID     string `json:"id"`
	Path   string `json:"path"`
	Name   string `json:"name"`
	Passes int64  `json:"passes"`
	Fails  int64  `json:"fails"`
}

// related is a group with its place in the tree.
type related struct {
	resource[group]
	Relationships relationships `json:"relationships"`
}

type relationships struct {
	Groups document[[]identifier] `json:"groups"`
	Parent document[*identifier]  `json:"parent"`
}

type identifier struct {
	Type string `json:"type"`
	ID   string `json:"id"`
}

const groupType = "groups"

func (s *Server) groups(w http.ResponseWriter, _ *http.Request) {
	writeData(w, flatten(nil, s.cfg.Store.Snapshot().Groups, nil))
}

func (s *Server) group(w http.ResponseWriter, r *http.Request) {
	for _, g := range flatten(nil, s.cfg.Store.Snapshot().Groups, nil) {
		if g.ID == r.PathValue("id") {
			writeData(w, g)
			return
		}
	}
	writeError(w, http.StatusNotFound, "No group with that ID was found")
}

// flatten appends a group and all groups in it.
func flatten(list []related, g, parent *metrics.GroupView) []related {
	one := related{resource: resource[group]{groupType, g.ID, group{g.Path, g.Name, []check{}}}}
	for _, c := range g.Checks {
		one.Attributes.Checks = append(one.Attributes.Checks, check{c.ID, c.Path, c.Name, c.Passes, c.Fails})
	}
	if parent != nil {
		one.Relationships.Parent.Data = &identifier{groupType, parent.ID}
	}
	one.Relationships.Groups.Data = []identifier{}
	for _, sub := range g.Groups {
		one.Relationships.Groups.Data = append(one.Relationships.Groups.Data, identifier{groupType, sub.ID})
	}
	list = append(list, one)
	for _, sub := range g.Groups {
		list = flatten(list, sub, g)
	}
	return list
}
