package practicetest

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var (
	isoForm   = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$`)
	ticksForm = regexp.MustCompile(`^\d{1,19}$`)
)

// eventFilter is what the query of the calendar asks for.
type eventFilter struct {
	from, to, updatedSince time.Time // to and updatedSince are zero when absent
	matterID               string
	excludeDeleted         bool
}

func (f *eventFilter) takes(e *calendarEvent) bool {
	switch {
	case e.start.Before(f.from), !f.to.IsZero() && e.start.After(f.to):
		return false
	case e.updated.Before(f.updatedSince), f.excludeDeleted && e.deleted:
		return false
	case f.matterID != "" && (e.matter == nil || !strings.EqualFold(e.matter.id, f.matterID)):
		return false
	}
	return true
}

// listEvents answers the events that start in a range of time, the earliest first.
// Without From the range begins now. Specification, Calendar events.
func (s *Server) listEvents(c *call) (reply, error) {
	offset, limit, err := s.window(c)
	if err != nil {
		return reply{}, err
	}
	filter, err := s.eventFilter(c)
	if err != nil {
		return reply{}, err
	}
	var items [][]byte
	size := 0
	for _, e := range c.account.events {
		if !filter.takes(e) {
			continue
		}
		if size >= offset && len(items) < limit {
			items = append(items, e.text(c.link))
		}
		size++
	}
	return reply{http.StatusOK, c.page(offset, limit, size, "events").body(items)}, nil
}

func (s *Server) eventFilter(c *call) (*eventFilter, error) {
	f := &eventFilter{from: c.now, matterID: c.query["MatterId"]}
	var bad []fieldFault
	refuse := func(name, wrong string) {
		s.violate(c, "%s: %s, not %q", name, wrong, c.query[name])
		bad = append(bad, fieldFault{name, "Invalid", wrong})
	}
	moment := func(name string, into *time.Time) {
		text, given := c.query[name]
		if !given {
			return
		}
		t, valid := dateTime(text)
		if !valid || !isoForm.MatchString(text) {
			refuse(name, "must be YYYY-MM-DDThh:mm:ss in UTC")
			return
		}
		*into = t
	}
	moment("From", &f.from)
	moment("To", &f.to)
	if since := c.query["UpdatedSince"]; ticksForm.MatchString(since) {
		n, err := strconv.ParseInt(since, 10, 64)
		if err != nil {
			refuse("UpdatedSince", "ticks beyond their range")
		}
		f.updatedSince = fromTicks(n)
	} else {
		moment("UpdatedSince", &f.updatedSince)
	}
	if text, given := c.query["ExcludeDeletedEvents"]; given {
		f.excludeDeleted = strings.EqualFold(text, "true")
		if !f.excludeDeleted && !strings.EqualFold(text, "false") {
			refuse("ExcludeDeletedEvents", "must be true or false")
		}
	}
	if bad != nil {
		return nil, invalid(bad...)
	}
	return f, nil
}

func fromTicks(n int64) time.Time {
	since := n - epochTicks
	return time.Unix(since/10_000_000, since%10_000_000*100).UTC()
}
