package practice

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"

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
	query    url.Values
	body     []byte
	target   *url.URL // instead of the path template, for links
	err      error
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
		return p.target
	}
	u := *p.client.base
	var plain, escaped strings.Builder
	plain.WriteString(u.Path)
	escaped.WriteString(u.RawPath)
	rest := p.op.path
	for _, id := range p.ids {
		before, after, found := strings.Cut(rest, "{")
		if !found {
			break
		}
		_, rest, _ = strings.Cut(after, "}")
		plain.WriteString(before)
		escaped.WriteString(before)
		plain.WriteString(id)
		escaped.WriteString(url.PathEscape(id))
	}
	plain.WriteString(rest)
	escaped.WriteString(rest)
	u.Path, u.RawPath = plain.String(), escaped.String()
	u.RawQuery = p.rawQuery()
	return &u
}

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

// request builds what goes out, but for the credentials: those are added by
// the transport for each attempt.
func (p *call) request() *http.Request {
	address := p.address()
	header := make(http.Header, 6+len(p.settings.header))
	for _, field := range p.settings.header {
		header.Add(field.name, field.value)
	}
	header["Accept"] = p.client.accept
	header["User-Agent"] = p.client.agent
	if p.body != nil {
		header["Content-Type"] = p.client.bodyType
	}
	header["Requestid"] = []string{p.settings.requestID}
	if p.settings.userID != "" {
		header["Userid"] = []string{p.settings.userID}
	}
	req := &http.Request{
		Method: p.op.method, URL: address, Host: address.Host, Header: header,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}
	return req.WithContext(p.ctx)
}

// exchange sends the call and returns its successful answer. Everything else
// is an error, with the operation, the request id and the attempts in it.
func (p *call) exchange() (*transport.Answer, *Response, error) {
	if p.err != nil {
		return nil, nil, p.err
	}
	if p.settings.requestID == "" {
		p.settings.requestID = uuid.NewString()
	}
	watch := p.client.watch(p)
	sent := &transport.Call{
		Class:          p.op.class,
		Retries:        p.client.retries(p.settings),
		AttemptTimeout: p.settings.attemptTimeout,
		MaxBody:        p.client.settings.maxBody,
		OnAttempt:      watch.attempt,
	}
	answer, err := p.client.chain.Do(p.request(), p.body, sent, p.settings.timeout)
	response := p.responseOf(answer, sent)
	err = p.verdict(answer, sent, response, err)
	watch.finished(response, err)
	return answer, response, err
}

func (p *call) responseOf(answer *transport.Answer, sent *transport.Call) *Response {
	response := &Response{RequestID: p.settings.requestID, Attempts: attemptsOf(sent)}
	if answer != nil {
		response.StatusCode, response.Header = answer.Status, answer.Header
		response.EchoedRequestID = answer.Header.Get("RequestId")
	}
	if p.settings.response != nil {
		*p.settings.response = *response
	}
	return response
}

// verdict turns what the chain brought into success or the error that tells a
// caller what it may do next.
func (p *call) verdict(answer *transport.Answer, sent *transport.Call, response *Response, failure error) error {
	uncertain := p.op.class == transport.Create && sent.Uncertain()
	if failure != nil {
		err := &CallError{Operation: p.op.name, RequestID: response.RequestID, Attempts: response.Attempts, Err: failure}
		if uncertain {
			return &AmbiguousWriteError{Operation: p.op.name, RequestID: response.RequestID, Err: err}
		}
		return err
	}
	if answer.Status >= 200 && answer.Status < 300 || p.deletedBefore(answer, sent) {
		return nil
	}
	err := &Error{
		Operation: p.op.name, Method: p.op.method, StatusCode: answer.Status, Header: answer.Header,
		Problem: problemOf(answer.Body), RequestID: response.RequestID, Attempts: response.Attempts,
		Body: boundedBody(answer.Body),
	}
	if uncertain {
		return &AmbiguousWriteError{Operation: p.op.name, RequestID: response.RequestID, Err: err}
	}
	return err
}

// deletedBefore reports a 404 that only says that an earlier attempt of the
// same DELETE did its work.
func (p *call) deletedBefore(answer *transport.Answer, sent *transport.Call) bool {
	if p.op.method != http.MethodDelete || answer.Status != http.StatusNotFound || !sent.Uncertain() {
		return false
	}
	answer.Body = nil // it describes a refusal, not the record
	return true
}

// read decodes a successful answer. An answer without a body leaves out zero:
// many writes have none.
func (p *call) read(answer *transport.Answer, out codec.Unmarshaler) ([]codec.Fault, error) {
	if len(answer.Body) == 0 {
		return nil, nil
	}
	faults, err := codec.Decode(answer.Body, out)
	if err != nil {
		return nil, &DecodeError{
			Operation: p.op.name, StatusCode: answer.Status, RequestID: p.settings.requestID,
			Body: answer.Body, Err: err,
		}
	}
	if prefixed, ok := out.(vendorPrefixed); ok && p.client.settings.vendorPrefix != "" {
		prefixed.ApplyVendorPrefix(p.client.settings.vendorPrefix)
	}
	return faults, nil
}

// vendorPrefixed is a record with members whose names begin with the vendor's
// own prefix.
type vendorPrefixed interface{ ApplyVendorPrefix(prefix string) }

// record is what the generated codec reads.
type record[T any] interface {
	*T
	codec.Unmarshaler
}

// send sends the call and reads the record it answers with.
func send[T any, P record[T]](p *call) (*T, error) {
	answer, _, err := p.exchange()
	if err != nil {
		return nil, err
	}
	out := new(T)
	faults, err := p.read(answer, P(out))
	if err != nil {
		return nil, err
	}
	if err := errors.Join(p.recordErrors(faults, 0)...); err != nil {
		return out, err
	}
	return out, nil
}

// sendOnly sends a call whose answer has no record.
func sendOnly(p *call) error {
	_, _, err := p.exchange()
	return err
}

// recordErrors tells the caller which records of an answer could not be read.
func (p *call) recordErrors(faults []codec.Fault, offset int) []error {
	errs := make([]error, len(faults))
	for i, fault := range faults {
		errs[i] = &RecordError{
			Operation: p.op.name, RequestID: p.settings.requestID,
			Index: offset + fault.Index, Path: fault.Path, Raw: fault.Raw, Err: fault.Err,
		}
	}
	return errs
}

func (c *Client) retries(s callSettings) transport.Retries {
	return transport.Retries{Max: s.retries, FirstWait: firstRetryWait, MaxWait: c.settings.maxRetryWait}
}
