package metrics

import "strings"

// maxScopes is how many scopes there are: scripts may set the tags that make them.
const maxScopes = 2 * MaxGroups

// scope is the live state behind a Scope. The store's lock guards it.
type scope struct {
	scenario, group string
	all             []*series
	byMetric        map[*Metric]*series
	checks          []*CheckView
	checksBy        map[string]*CheckView
}

// scopesOf returns the scopes that samples with these tags belong to: the
// scenario, the group and all groups around it. Samples without scenario, such
// as those of setup, belong to none.
func (s *Store) scopesOf(tags TagSet) []*scope {
	if !s.cfg.Scopes {
		return nil
	}
	scenario, ok := tags.Get("scenario")
	if !ok {
		return nil
	}
	found := s.appendScope(nil, scenario, "")
	group, _ := tags.Get("group")
	if !strings.HasPrefix(group, GroupSeparator) {
		return found
	}
	for end := len(GroupSeparator); end < len(group); end += len(GroupSeparator) {
		next := strings.Index(group[end:], GroupSeparator)
		if next < 0 {
			next = len(group) - end
		}
		end += next
		found = s.appendScope(found, scenario, group[:end])
	}
	return found
}

// appendScope appends the scope, made if it is new and not one too many.
func (s *Store) appendScope(found []*scope, scenario, group string) []*scope {
	key := [2]string{scenario, group}
	sc := s.scopesBy[key]
	if sc == nil {
		if len(s.scopes) >= maxScopes {
			s.scopesFolded = true
			return found
		}
		sc = &scope{
			scenario: scenario, group: group,
			byMetric: make(map[*Metric]*series), checksBy: make(map[string]*CheckView),
		}
		s.scopesBy[key] = sc
		s.scopes = append(s.scopes, sc)
	}
	return append(found, sc)
}

func (sc *scope) series(m *Metric) *series {
	own := sc.byMetric[m]
	if own == nil {
		own = &series{metric: m}
		sc.byMetric[m] = own
		sc.all = append(sc.all, own)
	}
	return own
}

func (sc *scope) check(c *Check, ok bool) {
	v := sc.checksBy[c.Path]
	if v == nil {
		v = &CheckView{Name: c.Name, Path: c.Path, ID: c.ID}
		sc.checksBy[c.Path] = v
		sc.checks = append(sc.checks, v)
	}
	if ok {
		v.Passes++
	} else {
		v.Fails++
	}
}

func (sc *scope) view() *Scope {
	v := &Scope{Scenario: sc.scenario, Group: sc.group}
	for _, own := range sc.all {
		if own.samples > 0 {
			v.Series = append(v.Series, own.view())
		}
	}
	for _, c := range sc.checks {
		v.Checks = append(v.Checks, *c)
	}
	return v
}
