package practicetest

import (
	"fmt"
	"net/http"
	"strconv"
)

// problem is an error answer. It is an error, so that handlers return it as
// one.
type problem struct {
	status int
	detail string
	fields []fieldFault
	header http.Header

	// mistake is the reason why no correct client makes the request, in any
	// state of the service. It is empty for a refusal that depends on the state
	// or on a policy. A strict service reports mistakes, and no other refusal.
	mistake string
}

// fieldFault is the fault of one member, query parameter or path segment.
type fieldFault struct {
	Field   string `json:"field"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (p *problem) Error() string { return strconv.Itoa(p.status) + " " + p.detail }

func refuse(status int, format string, args ...any) *problem {
	return &problem{status: status, detail: fmt.Sprintf(format, args...)}
}

// invalid refuses a request because of its content.
func invalid(faults ...fieldFault) *problem {
	return conflicting(faults...).asMistake("%s", sentence(faults))
}

// conflicting returns the problem of a request whose content conflicts with the
// state of the service.
func conflicting(faults ...fieldFault) *problem {
	return &problem{status: http.StatusBadRequest, detail: "See errors.", fields: faults}
}

func (p *problem) asMistake(format string, args ...any) *problem {
	p.mistake = fmt.Sprintf(format, args...)
	return p
}

func (p *problem) with(name, value string) *problem {
	if p.header == nil {
		p.header = http.Header{}
	}
	p.header.Set(name, value)
	return p
}

// body writes the Problem object. The interface knows two shapes of its errors
// member: an object for the folder listing, an array of objects elsewhere.
func (p *problem) body(instance, trace string, asObject bool) []byte {
	wire := struct {
		Type     string `json:"type"`
		Title    string `json:"title"`
		Status   int    `json:"status"`
		Detail   string `json:"detail"`
		Instance string `json:"instance"`
		TraceID  string `json:"traceId,omitempty"`
		Errors   any    `json:"errors,omitempty"`
	}{
		Type:  statusAddress(p.status),
		Title: http.StatusText(p.status), Status: p.status, Detail: p.detail,
		Instance: instance, TraceID: trace,
	}
	switch {
	case len(p.fields) == 0:
	case asObject:
		byField := map[string][]string{}
		for _, f := range p.fields {
			byField[f.Field] = append(byField[f.Field], f.Message)
		}
		wire.Title, wire.Errors = "Validation failed", byField
	default:
		wire.Title, wire.Errors = "Validation failed", p.fields
	}
	return encode(wire)
}

// statusAddress returns the address of a status in its standard.
func statusAddress(status int) string {
	const standard = "https://tools.ietf.org/html/rfc9110#section-15."
	switch {
	case status == http.StatusTooManyRequests:
		return "https://tools.ietf.org/html/rfc6585#section-4"
	case status >= 500:
		return standard + "6." + strconv.Itoa(status-499)
	default:
		return standard + "5." + strconv.Itoa(status-399)
	}
}
