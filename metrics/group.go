package metrics

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
)

// GroupSeparator stands between the names of a path. It may not occur in one.
const GroupSeparator = "::"

// So many groups and checks a run tells apart. Names beyond, which a script may make
// of data, share one group and one check in each group.
const (
	MaxGroups = 1000
	MaxChecks = 5000
)

// Group is a node of the tree of groups of a run. Groups and checks are made
// when a script first reaches them, and keep that order. Safe for concurrent use.
type Group struct {
	// Name is the group's own name, Path all names from the root, each with the
	// separator before it ("::checkout::pay"), ID the MD5 of the path in hex.
	// The root has neither name nor path.
	Name, Path, ID string
	Parent         *Group

	tree *tree

	mu       sync.RWMutex
	groups   []*Group
	checks   []*Check
	groupsBy map[string]*Group
	checksBy map[string]*Check
}

// tree is what the groups of one tree share.
type tree struct {
	root           *Group
	groups, checks atomic.Int64
	// others is the group of those beyond the limit.
	others atomic.Pointer[Group]
}

// Check is one named check inside a group. Its counts are written by the store.
type Check struct {
	// Name is the check's own name, Path the group's path with the name behind
	// it, ID the MD5 of the path in hex.
	Name, Path, ID string

	// The store's lock guards the counts.
	passes, fails int64
}

// NewGroup returns the root of a new tree.
func NewGroup() *Group {
	g := &Group{ID: pathID(""), tree: new(tree)}
	g.tree.root = g
	return g
}

// Folded tells whether there were more groups, and more checks, than the tree of g
// tells apart.
func (g *Group) Folded() (groups, checks bool) {
	return g.tree.groups.Load() > MaxGroups, g.tree.checks.Load() > MaxChecks
}

// SeparatorError says that the name of a group or check holds the separator.
type SeparatorError struct{ What, Name string }

func (e *SeparatorError) Error() string {
	return fmt.Sprintf("%s name %q must not contain %q", e.What, e.Name, GroupSeparator)
}

// Child returns the group of this name inside g, made if it is new, or that of all
// others if there are too many. An empty name is g itself. It fails if the name
// holds the separator.
func (g *Group) Child(name string) (*Group, error) {
	if name == "" {
		return g, nil
	}
	g.mu.RLock()
	child := g.groupsBy[name]
	g.mu.RUnlock()
	if child != nil {
		return child, nil
	}
	if strings.Contains(name, GroupSeparator) {
		return nil, &SeparatorError{"group", name}
	}
	others := g.tree.others.Load()
	if g == others {
		return g, nil
	}
	if g.tree.groups.Load() < MaxGroups {
		return g.addChild(name), nil
	}
	if others == nil {
		g.tree.others.CompareAndSwap(nil, g.tree.root.addChild(otherName))
		others = g.tree.others.Load()
	}
	return others, nil
}

func (g *Group) addChild(name string) *Group {
	g.mu.Lock()
	defer g.mu.Unlock()
	if child := g.groupsBy[name]; child != nil {
		return child
	}
	path := g.Path + GroupSeparator + name
	child := &Group{Name: name, Path: path, ID: pathID(path), Parent: g, tree: g.tree}
	if g.groupsBy == nil {
		g.groupsBy = make(map[string]*Group)
	}
	g.groupsBy[name] = child
	g.tree.groups.Add(1)
	g.groups = append(g.groups, child)
	return child
}

// Check returns the check of this name inside g, made if it is new, or that of all
// others in g if there are too many. It fails if the name holds the separator.
func (g *Group) Check(name string) (*Check, error) {
	g.mu.RLock()
	c := g.checksBy[name]
	g.mu.RUnlock()
	if c != nil {
		return c, nil
	}
	if strings.Contains(name, GroupSeparator) {
		return nil, &SeparatorError{"check", name}
	}
	if g.tree.checks.Load() >= MaxChecks {
		name = otherName
	}
	return g.addCheck(name), nil
}

func (g *Group) addCheck(name string) *Check {
	g.mu.Lock()
	defer g.mu.Unlock()
	if c := g.checksBy[name]; c != nil {
		return c
	}
	path := g.Path + GroupSeparator + name
	c := &Check{Name: name, Path: path, ID: pathID(path)}
	if g.checksBy == nil {
		g.checksBy = make(map[string]*Check)
	}
	g.checksBy[name] = c
	g.tree.checks.Add(1)
	g.checks = append(g.checks, c)
	return c
}

// view copies the tree as it is now. The store's lock is held.
func (g *Group) view() *GroupView {
	g.mu.RLock()
	defer g.mu.RUnlock()
	v := &GroupView{Name: g.Name, Path: g.Path, ID: g.ID}
	for _, c := range g.checks {
		v.Checks = append(v.Checks, CheckView{c.Name, c.Path, c.ID, c.passes, c.fails})
	}
	for _, sub := range g.groups {
		v.Groups = append(v.Groups, sub.view())
	}
	return v
}

func pathID(path string) string {
	sum := md5.Sum([]byte(path))
	return hex.EncodeToString(sum[:])
}

// GroupView is a group as a snapshot saw it, its children in code order.
type GroupView struct {
	Name, Path, ID string
	Groups         []*GroupView
	Checks         []CheckView
}

// CheckView is a check as a snapshot saw it.
type CheckView struct {
	Name, Path, ID string
	Passes, Fails  int64
}
