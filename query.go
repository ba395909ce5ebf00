package practice

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/models"
)

// param takes a query parameter; an empty value leaves it out.
func (p *call) param(name, value string) {
	if value == "" {
		return
	}
	if p.query == nil {
		p.query = url.Values{}
	}
	p.query.Set(name, value)
}

// params takes the query parameters of a text that url.Values encoded, the
// first value of each.
func (p *call) params(encoded string) {
	values, _ := url.ParseQuery(encoded) // it was encoded here
	for name, texts := range values {
		p.param(name, texts[0])
	}
}

// ticks takes a time as a number of .NET ticks, which are 100 ns. The zero
// time leaves it out.
func (p *call) ticks(name string, t time.Time) {
	if t.IsZero() {
		return
	}
	ticks, err := models.TicksOf(t)
	p.check(name, reasonIf(err != nil, outsideYears))
	p.param(name, strconv.FormatInt(int64(ticks), 10))
}

// utc takes a time in UTC, in whole seconds and without a zone. The zero time,
// or what rounding made of it, leaves it out.
func (p *call) utc(name string, t time.Time) {
	if t = t.UTC(); t.Unix() <= (time.Time{}).Unix() {
		return
	}
	p.check(name, reasonIf(t.Year() > 9999, outsideYears))
	p.param(name, t.Format("2006-01-02T15:04:05"))
}

const outsideYears = "is outside the years 1 to 9999"

// hasParam reports whether the caller gave a query parameter of that name,
// through an argument or WithQuery.
func (p *call) hasParam(name string) bool {
	return hasName(p.query, name) || slices.ContainsFunc(p.settings.query, func(field headerField) bool {
		return strings.EqualFold(field.name, name)
	})
}

// hasName looks for a query name without regard to case, as the service does.
func hasName(query url.Values, name string) bool {
	for known := range query {
		if strings.EqualFold(known, name) {
			return true
		}
	}
	return false
}

// rawQuery joins the parameters of the method and those of WithQuery.
func (p *call) rawQuery() string {
	if len(p.settings.query) == 0 {
		return p.query.Encode()
	}
	query := url.Values{}
	for _, field := range p.settings.query {
		if !hasName(p.query, field.name) {
			query.Add(field.name, field.value)
		}
	}
	for name, values := range p.query {
		query[name] = values
	}
	return query.Encode()
}
