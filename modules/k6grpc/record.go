package k6grpc

import (
	"slices"
	"strconv"

	"google.golang.org/grpc/codes"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/modules/k6grpc/internal/schema"
	"github.com/jsload/jsload/vu/record"
)

// labels are the tags of calls of one method that bring no tags of their own,
// under the tags that the virtual user had last.
type labels struct {
	base, plain metrics.TagSet
	byStatus    [codes.Unauthenticated + 1]metrics.TagSet
	known       uint32 // bits of byStatus
}

// tags returns the tags of a sample about a method. extra are the call's own.
func (c *client) tags(m *schema.Method, base metrics.TagSet, extra []metrics.Tag) metrics.TagSet {
	if len(extra) > 0 {
		return c.newTags(m, base, extra)
	}
	return c.label(m, base).plain
}

// statusTags are tags with the status of a call.
func (c *client) statusTags(m *schema.Method, base metrics.TagSet, extra []metrics.Tag, code codes.Code) metrics.TagSet {
	if len(extra) > 0 || code > codes.Unauthenticated {
		return c.withStatus(c.newTags(m, base, extra), code)
	}
	l := c.label(m, base)
	if l.known&(1<<code) == 0 {
		l.known |= 1 << code
		l.byStatus[code] = c.withStatus(l.plain, code)
	}
	return l.byStatus[code]
}

func (c *client) label(m *schema.Method, base metrics.TagSet) *labels {
	l := c.labels[m]
	if l == nil || l.base != base {
		l = &labels{base: base, plain: c.newTags(m, base, nil)}
		if c.labels == nil {
			c.labels = make(map[*schema.Method]*labels)
		}
		c.labels[m] = l
	}
	return l
}

func (c *client) newTags(m *schema.Method, base metrics.TagSet, extra []metrics.Tag) metrics.TagSet {
	system := []record.SystemTag{
		{Tag: metrics.TagURL, Value: c.addr + m.Path},
		{Tag: metrics.TagService, Value: m.Service},
		{Tag: metrics.TagMethod, Value: m.Name},
	}
	if _, named := base.Get("name"); !named && !slices.ContainsFunc(extra, func(t metrics.Tag) bool { return t.Key == "name" }) {
		system = append(system, record.SystemTag{Tag: metrics.TagName, Value: m.Path})
	}
	return base.Extend(c.host.VU.Record.System(system...)...).Extend(extra...)
}

func (c *client) withStatus(set metrics.TagSet, code codes.Code) metrics.TagSet {
	return set.Extend(c.host.VU.Record.System(record.SystemTag{Tag: metrics.TagStatus, Value: strconv.Itoa(int(code))})...)
}

// timeoutsName counts the calls that their own timeout ended, which in scripts of
// the reference tool leave no grpc_req_duration.
const timeoutsName = "jsload_grpc_timeouts"

func (i *instance) countTimeout(at int64, tags metrics.TagSet) {
	if i.timeouts == nil {
		m, err := i.host.Run.Metrics.New(timeoutsName, metrics.Counter, metrics.Default)
		if err != nil {
			return // the script has another metric of that name
		}
		i.timeouts = m
	}
	i.host.VU.Record.Sample(at, i.timeouts, 1, tags)
}
