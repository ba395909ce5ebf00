package practice

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/internal/redact"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

// operation describes one endpoint. Its name and its path template label
// errors, logs and metrics, so they contain no identifier.
type operation struct {
	name   string // name of the method, such as "Staff.Get"
	method string
	path   string // template below the base address, such as "/staff/{id}"
	class  transport.Class
}

// call is a call in preparation. Its arguments are checked in turn; if one is
// bad, nothing is sent.
type call struct {
	ctx      context.Context
	client   *Client
	op       operation
	part     string // name of the operation in observations
	settings callSettings
	ids      []string // values of the path template, in order
	idBuffer [3]string
	values   [4]string // values of headers, which a middleware may write to
	query    url.Values
	body     []byte
	bodyOf   any      // record that the body was written from; nil for other bodies
	target   *url.URL // replaces the path template, for links
	err      error
	accept   string // value of the header Accept; empty means JSON
	listing  bool   // the answer is a page of a list
	answerOf any    // record that the answer was read into

	sent     transport.Call // filled in on sending
	observer *callObserver  // nil without observers
	found    foundRecords
	masks    redact.Mask // see mask
	masked   bool
}

func (c *Client) call(ctx context.Context, op operation, opts []CallOption) *call {
	prepared := &call{ctx: ctx, client: c, op: op, part: op.name, settings: c.settings.call, err: c.err}
	prepared.ids = prepared.idBuffer[:0]
	for _, opt := range opts {
		if opt == nil {
			prepared.fail(&ConfigError{op.name, "got an option that is nil"})
			continue
		}
		prepared.fail(opt.applyCall(&prepared.settings))
	}
	prepared.op.name = cmp.Or(prepared.settings.method, op.name)
	return prepared
}

// calledBy names the calling method in the errors of an inner call.
// Observations still name the method of the operation.
func calledBy(method string) CallOption {
	return callOption(func(s *callSettings) error { s.method = method; return nil })
}

// onlyWhereTaken refuses options without effect: keys of a new record in a call
// that makes none, the header Version where the operation does not accept it,
// the option of Modify where nothing is converted, and the position of a walk
// outside of a walk.
func (c *call) onlyWhereTaken() {
	create := c.op.class == transport.Create
	c.check("WithResourceID", reasonIf(c.settings.resourceID != "" && !create, "is for creates"))
	c.check("WithExternalID", reasonIf(c.settings.externalID != "" && !create, "is for creates"))
	c.check("WithVersion", reasonIf(c.settings.version != "" && !c.op.takesVersion(), "is for operations that take the header Version"))
	c.check("WithLoss", reasonIf(c.settings.loss != nil, "is for Modify"))
	c.check("WithPosition", reasonIf(c.settings.position != nil && !c.listing, "is for All methods"))
}

// fail records the first error.
func (c *call) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// check refuses an argument when reason is not empty.
func (c *call) check(argument, reason string) {
	if reason != "" {
		c.fail(&ArgumentError{Operation: c.op.name, Argument: argument, Reason: reason})
	}
}

// judge refuses a member of the body when reason is not empty, unless Modify
// took it from the record: the service has accepted it before.
func (c *call) judge(member, reason string) {
	if reason != "" && (c.settings.tookOver == nil || !c.settings.tookOver(member)) {
		c.check(member, reason)
	}
}

// id sets the next value of the path template.
func (c *call) id(argument, value string) {
	c.check(argument, c.op.badID(len(c.ids), value))
	c.ids = append(c.ids, value)
}

// pathIDs sets the values of the path template, by the names in it.
func (c *call) pathIDs(values []string) {
	rest := c.op.path
	for _, value := range values {
		_, rest, _ = strings.Cut(rest, "{")
		name, after, _ := strings.Cut(rest, "}")
		c.id(name, value)
		rest = after
	}
}

// json sets the body of an operation, given by a pointer.
func (c *call) json(body any) {
	c.completeBody(body)
	c.record(body)
}

// record sets a body, given by a pointer.
func (c *call) record(body any) {
	for member, reason := range models.Wire.Faults(body) {
		c.judge(member, reason)
	}
	c.bodyOf = body
	data, err := codec.AppendRequest(nil, body, models.Wire)
	if errors.Is(err, codec.ErrNotUTF8) {
		c.check("body", notUTF8)
	} else if err != nil {
		c.check("body", "cannot be written as JSON: "+err.Error())
	}
	c.body = data
}

// requestURL returns the base address with the path template filled in. Values
// are escaped one by one, so that none of them can change the path.
func (c *call) requestURL() *url.URL {
	if c.target != nil {
		u := *c.target
		if len(c.settings.query) > 0 { // otherwise a link keeps its own query unchanged
			u.RawQuery = c.rawQuery()
		}
		return &u
	}
	u := *c.client.base
	size := len(u.RawPath) + len(c.op.path)
	for _, id := range c.ids {
		size += len(id)
	}
	escaped := c.fill(u.RawPath, size, url.PathEscape)
	if u.Path == u.RawPath && !slices.ContainsFunc(c.ids, func(id string) bool { return url.PathEscape(id) != id }) {
		u.Path, u.RawPath = escaped, ""
	} else {
		u.Path, u.RawPath = c.fill(u.Path, size, func(id string) string { return id }), escaped
	}
	u.RawQuery = c.rawQuery()
	return &u
}

// fill returns base and the path template with its values.
func (c *call) fill(base string, size int, form func(string) string) string {
	var b strings.Builder
	b.Grow(size)
	b.WriteString(base)
	rest := c.op.path
	for _, id := range c.ids {
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

// hasName reports whether query has a name, regardless of case as for the
// service.
func hasName(query url.Values, name string) bool {
	for known := range query {
		if strings.EqualFold(known, name) {
			return true
		}
	}
	return false
}

// rawQuery returns the parameters of the method and of WithQuery.
func (c *call) rawQuery() string {
	if len(c.settings.query) == 0 {
		return c.query.Encode()
	}
	query := url.Values{}
	for _, field := range c.settings.query {
		if !hasName(c.query, field.name) {
			query.Add(field.name, field.value)
		}
	}
	for name, values := range c.query {
		query[name] = values
	}
	return query.Encode()
}

// header returns the header of every attempt, without the credentials.
func (c *call) header() http.Header {
	header := make(http.Header, 6+len(c.settings.header))
	for _, field := range c.settings.header {
		header.Add(field.name, field.value)
	}
	c.values = [...]string{cmp.Or(c.accept, "application/json, application/problem+json"), c.client.agent, c.settings.requestID, "application/json-patch+json"}
	header["Accept"] = c.values[0:1:1]
	header["User-Agent"] = c.values[1:2:2]
	header["Requestid"] = c.values[2:3:3]
	if c.body != nil {
		header["Content-Type"] = c.values[3:4:4]
	}
	if c.settings.userID != "" {
		header["Userid"] = []string{c.settings.userID}
	}
	if c.settings.resourceID != "" {
		header["Resourceid"] = []string{c.settings.resourceID}
	}
	if c.settings.externalID != "" {
		header["Externalid"] = []string{c.settings.externalID}
	}
	if c.settings.version != "" {
		header["Version"] = []string{c.settings.version}
	}
	return header
}

const firstRetryWait = 500 * time.Millisecond

func (c *Client) retries(s callSettings) transport.Retries {
	return transport.Retries{Max: s.retries, FirstWait: firstRetryWait, MaxWait: c.settings.maxRetryWait}
}

// chooseRequestID sets a request id unless the caller has set one.
func (c *call) chooseRequestID() error {
	if c.settings.requestID != "" {
		return nil
	}
	signer := c.client.settings.signer
	if signer == nil {
		c.settings.requestID = uuid.NewString()
		return nil
	}
	id := signer.NewRequestID()
	if reason := badRequestID(id); reason != "" {
		return &ConfigError{"WithRequestIDSigner", "made an id that cannot be sent: an id " + reason}
	}
	c.settings.requestID = id
	return nil
}
