package practicetest

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
	"time"
)

// link is a Link object of a record.
type link struct {
	ID       *string `json:"id"`
	Href     string  `json:"href"`
	Relation *string `json:"relation"`
	Method   string  `json:"method"`
	Rel      *string `json:"rel,omitempty"`
}

// bareLink is a link as files and page navigation carry it.
type bareLink struct {
	Href string `json:"href,omitempty"`
	Rel  string `json:"rel,omitempty"`
}

// head holds the members that every record carries.
type head struct {
	Href     string  `json:"href"`
	Relation *string `json:"relation"`
	Method   string  `json:"method"`
	Self     *link   `json:"self"`
}

// linker writes addresses: the base address with the account prefix, if any.
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

// utc writes a moment as the service does: seven fraction digits, without the
// zeros at their end.
func utc(t time.Time) string {
	return t.UTC().Format("2006-01-02T15:04:05.9999999Z")
}

// orNull is null for a text that is absent.
func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// encode writes the wire's text. The records hold only what JSON can say.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("practicetest: a record that is not JSON: " + err.Error())
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
