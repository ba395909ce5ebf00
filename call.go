package practice

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/internal/transport"
)

// operation describes one endpoint. Its name and its path template are the
// labels for errors, logs and metrics: they never hold an identifier.
type operation struct {
	name   string // of the method, such as "Staff.Get"
	method string
	path   string // template below the base address, such as "/staff/{id}"
	class  transport.Class
}

// call is one call being prepared: arguments are checked one after the other,
// and the first that is bad keeps everything from being sent.
type call struct {
	ctx      context.Context
	client   *Client
	op       operation
	settings callSettings
	ids      []string // values of the path template, in order
	idRoom   [3]string
	sentID   [1]string // the value of the RequestId header
	query    url.Values
	body     []byte
	target   *url.URL // instead of the path template, for links
	err      error
	listing  bool // the answer is a page of a list

	sent  transport.Call // filled in when the call is sent
	watch watcher
	seen  Observation
}

func (c *Client) call(ctx context.Context, op operation, opts []CallOption) *call {
	p := &call{ctx: ctx, client: c, op: op, settings: c.settings.call, err: c.err}
	p.ids = p.idRoom[:0]
	for _, opt := range opts {
		if opt == nil {
			p.fail(&ConfigError{op.name, "got an option that is nil"})
			continue
		}
		p.fail(opt.applyCall(&p.settings))
	}
	return p
}

// fail keeps the first fault.
func (p *call) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// check refuses an argument when reason is not empty.
func (p *call) check(argument, reason string) {
	if reason != "" {
		p.fail(&ArgumentError{Operation: p.op.name, Argument: argument, Reason: reason})
	}
}

// id takes the next value of the path template. The literal segments that
// stand beside it in other operations are refused: such an id would reach
// them.
func (p *call) id(argument, value string, siblings ...string) {
	reason := badIdentifier(value)
	for _, sibling := range siblings {
		if strings.EqualFold(value, sibling) {
			reason = "must not be the name of another operation"
		}
	}
	p.check(argument, reason)
	p.ids = append(p.ids, value)
}

// pathIDs takes the values of the path template, under the names that stand
// there.
func (p *call) pathIDs(values []string) {
	rest := p.op.path
	for _, value := range values {
		_, rest, _ = strings.Cut(rest, "{")
		name, after, _ := strings.Cut(rest, "}")
		p.id(name, value)
		rest = after
	}
}

// uuid takes the next value of the path template where a UUID is demanded.
func (p *call) uuid(argument, value string) {
	p.check(argument, badUUID(value))
	p.ids = append(p.ids, value)
}

// json takes the body of the request.
func (p *call) json(body codec.Marshaler) {
	data, err := codec.AppendRequest(nil, body)
	if err != nil {
		p.check("body", "cannot be written as JSON: "+err.Error())
	}
	p.body = data
}

// texts takes a list of texts as the body of the request.
func (p *call) texts(argument string, values []string) {
	if values == nil {
		values = []string{}
	}
	data, err := json.Marshal(values)
	if err != nil {
		p.check(argument, "cannot be written as JSON")
	}
	p.body = data
}

// address is the base address with the path template filled in. Values are
// escaped one by one, so that none of them can change the path.
func (p *call) address() *url.URL {
	if p.target != nil {
		u := *p.target
		if len(p.settings.query) > 0 { // otherwise the link's own stays as it is written
			u.RawQuery = p.rawQuery()
		}
		return &u
	}
	u := *p.client.base
	size := len(u.RawPath) + len(p.op.path)
	for _, id := range p.ids {
		size += len(id)
	}
	escaped := p.fill(u.RawPath, size, url.PathEscape)
	if u.Path == u.RawPath && !slices.ContainsFunc(p.ids, func(id string) bool { return url.PathEscape(id) != id }) {
		u.Path, u.RawPath = escaped, ""
	} else {
		u.Path, u.RawPath = p.fill(u.Path, size, func(id string) string { return id }), escaped
	}
	u.RawQuery = p.rawQuery()
	return &u
}

// fill puts the values into the places of the path template.
func (p *call) fill(base string, size int, form func(string) string) string {
	var b strings.Builder
	b.Grow(size)
	b.WriteString(base)
	rest := p.op.path
	for _, id := range p.ids {
		before, after, found := strings.Cut(rest, "{")
		if !found {
			break
		}
		_, rest, _ = strings.Cut(after, "}")
		b.WriteString(before)
		b.WriteString(form(id))
	}
	b.WriteString(rest)
	return b.String()
}

// header is what every attempt carries beside the credentials.
func (p *call) header() http.Header {
	header := make(http.Header, 6+len(p.settings.header))
	for _, field := range p.settings.header {
		header.Add(field.name, field.value)
	}
	header["Accept"] = p.client.accept
	header["User-Agent"] = p.client.agent
	if p.body != nil {
		header["Content-Type"] = p.client.bodyType
	}
	p.sentID[0] = p.settings.requestID
	header["Requestid"] = p.sentID[:]
	if p.settings.userID != "" {
		header["Userid"] = []string{p.settings.userID}
	}
	return header
}

const firstRetryWait = 500 * time.Millisecond

func (c *Client) retries(s callSettings) transport.Retries {
	return transport.Retries{Max: s.retries, FirstWait: firstRetryWait, MaxWait: c.settings.maxRetryWait}
}
