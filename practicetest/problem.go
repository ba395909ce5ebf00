package practicetest

import (
	"fmt"
	"net/http"
	"strconv"
)

// problem is an error response. It implements error, so handlers can return it.
type problem struct {
	status int
	detail string
	fields []fieldFault
	header http.Header

	// mistake explains why a correct client would not send the request in any
	// state of the service. It is empty if the refusal depends on the state or
	// on a policy. A strict service reports only mistakes as violations.
	mistake string
}

// fieldFault describes what is wrong with a member, query parameter or path
// segment.
type fieldFault struct {
	Field   string `json:"field"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (p *problem) Error() string { return strconv.Itoa(p.status) + " " + p.detail }

func refuse(status int, format string, args ...any) *problem {
	return &problem{status: status, detail: fmt.Sprintf(format, args...)}
}

// invalid returns a problem with status 400 for a request that is wrong in any
// state of the service.
func invalid(faults ...fieldFault) *problem {
	return conflicting(faults...).asMistake("%s", sentence(faults))
}

// conflicting returns a problem with status 400 for a request whose content
// conflicts with the state of the service.
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

// body encodes the problem. Its member errors is an object for the folder
// listing, and an array for other operations.
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

// statusAddress returns the URL of the section that defines the status.
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
