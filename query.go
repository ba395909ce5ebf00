package practice

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/practicesdk/practice-go/models"
)

// param sets a query parameter, unless the value is empty.
func (c *call) param(name, value string) {
	if value == "" {
		return
	}
	c.checkParam(name, value)
	if c.query == nil {
		c.query = url.Values{}
	}
	c.query.Set(name, value)
}

// addParam adds a value to a query parameter.
func (c *call) addParam(name, value string) {
	c.checkParam(name, value)
	if c.query == nil {
		c.query = url.Values{}
	}
	c.query.Add(name, value)
}

// joined joins names with commas. The separator is not documented.
func joined[T ~string](names []T) string {
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = string(name)
	}
	return strings.Join(texts, ",")
}

func (c *call) checkParam(name, value string) {
	if !utf8.ValidString(name) || !utf8.ValidString(value) {
		c.check(name, notUTF8)
	}
}

// params adds the query parameters of a link, which the service encoded.
func (c *call) params(encoded string) {
	values, _ := url.ParseQuery(encoded) // this library encoded the query, so it is valid
	if c.query == nil {
		c.query = url.Values{}
	}
	maps.Copy(c.query, values)
}

// localTime is the layout of a time in whole seconds without a zone.
const localTime = "2006-01-02T15:04:05"

// time sets a time in the form of a kind of parameter: as a number of .NET
// ticks, in UTC to 100 ns, or in UTC in whole seconds and without a zone. It
// rounds To up to a second, and everything else down. It leaves out the zero
// time only.
func (c *call) time(kind ParameterKind, name string, t time.Time) {
	if t.IsZero() {
		return
	}
	// Assumed: the zone of From and To
	if t = t.UTC(); kind == KindLocalTime && name == "To" {
		t = t.Add(time.Second - time.Nanosecond)
	}
	ticks, err := models.TicksOf(t)
	c.check(name, reasonIf(err != nil, "must have a year from 1 to 9999"))
	switch kind {
	case KindTicks:
		c.param(name, strconv.FormatInt(int64(ticks), 10))
	case KindInstant:
		c.param(name, t.Format("2006-01-02T15:04:05.0000000Z"))
	default:
		c.param(name, t.Format(localTime))
	}
}

// hasParam reports whether the caller set a query parameter of that name,
// through an argument or WithQuery.
func (c *call) hasParam(name string) bool {
	return hasName(c.query, name) || slices.ContainsFunc(c.settings.query, func(field headerField) bool {
		return strings.EqualFold(field.name, name)
	})
}

// checkQuery refuses parameters that exclude each other.
func (c *call) checkQuery() {
	switch c.op.path {
	case "/events":
		from, errFrom := time.Parse(localTime, c.query.Get("From"))
		to, errTo := time.Parse(localTime, c.query.Get("To"))
		c.check("To", reasonIf(errFrom == nil && errTo == nil && to.Before(from), "must not be before From"))
	case "/matters/{matterId}/documents/files":
		c.check("Cursor", reasonIf(c.query.Has("Cursor") && (c.query.Has("Sort") || c.query.Has("Search")), "cannot be combined with Sort or Search"))
	}
}
