package practicetest

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
	"time"
)

// link is the JSON form of a link to a record.
type link struct {
	ID       *string `json:"id"`
	Href     string  `json:"href"`
	Relation *string `json:"relation"`
	Method   string  `json:"method"`
	Rel      *string `json:"rel,omitempty"`
}

// bareLink is the short form of a link, used by files and pages.
type bareLink struct {
	Href string `json:"href,omitempty"`
	Rel  string `json:"rel,omitempty"`
}

// head holds the members that identify a record or list.
type head struct {
	Href     string  `json:"href"`
	Relation *string `json:"relation"`
	Method   string  `json:"method"`
	Self     *link   `json:"self"`
}

// linker creates addresses. It holds the base URL with the account prefix, if
// there is one.
type linker string

func (l linker) href(segments ...string) string {
	var b strings.Builder
	b.WriteString(string(l))
	for _, s := range segments {
		b.WriteByte('/')
		b.WriteString(url.PathEscape(s))
	}
	return b.String()
}

func (l linker) to(id, relation string, segments ...string) *link {
	return &link{ID: &id, Href: l.href(segments...), Relation: &relation, Method: "GET"}
}

func (l linker) head(relation string, segments ...string) head {
	address := l.href(segments...)
	self := "self"
	return head{
		Href: address, Relation: &relation, Method: "GET",
		Self: &link{Href: address, Relation: &self, Method: "GET"},
	}
}

// epochTicks is the .NET tick count of the Unix epoch.
const epochTicks = 621355968000000000

func ticks(t time.Time) int64 {
	return t.Unix()*10_000_000 + int64(t.Nanosecond())/100 + epochTicks
}

// utc formats a time as the service does: in UTC, with up to seven fraction
// digits and no trailing zeros.
func utc(t time.Time) string {
	return t.UTC().Format("2006-01-02T15:04:05.9999999Z")
}

// orNull returns a pointer to s, or nil, which is encoded as null, if s is
// empty.
func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// encode returns v as JSON. It panics if v cannot be encoded, which does not
// happen for records.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("practicetest: the record cannot be encoded as JSON: " + err.Error())
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
