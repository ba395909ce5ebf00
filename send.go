package practice

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

// outcome is how a call went.
type outcome struct {
	answer *transport.Answer // nil when there was none
	sent   *transport.Call
	call   *call
}

// run sends the call and gives its successful answer to read. The call is over
// when its result is known: nobody is told of its end before.
func (c *call) run(read func(outcome) error) error {
	var o outcome
	ended := errNoReturn
	defer func() { c.finish(o, ended) }()
	o, err := c.exchange()
	if err == nil {
		err = read(o)
	}
	ended = err
	return err
}

// exchange sends the call and returns its successful answer. Everything else
// is an error, with the operation, the request id and the attempts in it. Then
// finish is due.
func (c *call) exchange() (outcome, error) {
	c.onlyWhereTaken()
	if c.err == nil {
		c.fail(c.chooseRequestID())
	}
	ctx := c.ctx
	if observers := c.client.observers; observers != nil {
		c.observer = observers.call(ctx, c.observation())
		ctx = c.observer.ctx
	}
	if c.err != nil {
		return outcome{}, c.err
	}
	c.sent = transport.Call{
		Method: c.op.method, URL: c.requestURL(), Header: c.header(), Body: c.body,
		Class:          c.class(),
		Retries:        c.client.retries(c.settings),
		Timeout:        c.settings.timeout,
		AttemptTimeout: c.settings.attemptTimeout,
		MaxBody:        c.client.settings.maxBody,
		Again:          c.settings.again,
	}
	if c.observer != nil {
		c.sent.Observer = c.observer
		c.observer.mask = func(err error) error { return c.client.mask(&c.sent).Error(err) }
	}
	answer, err := c.client.chain.Do(ctx, &c.sent)
	o := outcome{answer: answer, sent: &c.sent, call: c}
	if c.settings.response != nil {
		*c.settings.response = o.response()
	}
	return o, o.verdict(err)
}

// observation returns the members that all observations of the call share.
func (c *call) observation() Observation {
	return Observation{
		Operation: c.op.name, Method: c.op.method, Path: c.op.path, RequestID: c.settings.requestID,
		Server: c.client.server, Page: c.listing,
	}
}

// finish reports the end of the call.
func (c *call) finish(o outcome, err error) {
	if c.observer != nil {
		c.observer.ended(c.observer.ending(&c.sent, o.status(), c.found, err))
	}
}

// class says when the call may be sent again.
func (c *call) class() transport.Class {
	if c.settings.once {
		return transport.Create
	}
	return c.op.class
}

// runPage is run for a page of a list.
func (c *call) runPage(read func(outcome) error) error {
	c.listing = true
	return c.run(read)
}

// status returns the HTTP status of the answer, 0 when there was none.
func (o outcome) status() int {
	if o.answer == nil {
		return 0
	}
	return o.answer.Status
}

// response tells the caller how the call went.
func (o outcome) response() Response {
	response := Response{RequestID: o.call.settings.requestID, Attempts: o.attempts()}
	if o.answer != nil {
		response.StatusCode, response.Header = o.answer.Status, o.answer.Header
		if echoed := o.answer.Header["Requestid"]; len(echoed) > 0 {
			response.EchoedRequestID = echoed[0]
		}
	}
	return response
}

func (o outcome) attempts() []Attempt {
	attempts := make([]Attempt, len(o.sent.Attempts))
	for i, attempt := range o.sent.Attempts {
		attempts[i] = attemptOf(attempt)
		if attempt.Err != nil {
			attempts[i].Err = o.call.mask().Error(attempt.Err)
		}
	}
	return attempts
}

// verdict turns what the chain brought into success or the error that tells a
// caller what it may do next.
func (o outcome) verdict(failure error) error {
	c := o.call
	if failure == nil && (o.answer.Status >= 200 && o.answer.Status < 300 || o.deletedBefore()) {
		return nil
	}
	var err error
	if failure != nil {
		err = &NoAnswerError{Operation: c.op.name, RequestID: c.settings.requestID, Attempts: o.attempts(), Err: c.mask().Error(failure)}
	} else {
		defer o.answer.Release()
		retryAfter, _ := transport.RetryAfter(o.answer.Header.Get("Retry-After"))
		body := c.mask().Bytes(o.answer.Body)
		refused := &Error{
			Operation: c.op.name, Method: c.op.method, StatusCode: o.answer.Status, Header: maskedHeader(c.mask(), o.answer.Header),
			Problem: maskedProblem(c.mask(), body), RequestID: c.settings.requestID, Attempts: o.attempts(),
			Body: boundedBody(body), Err: c.mask().Error(o.sent.Cause), RetryAfter: retryAfter,
		}
		c.lacking(refused)
		err = refused
	}
	if o.sent.Class == transport.Create && o.sent.Uncertain() {
		return &AmbiguousWriteError{Operation: c.op.name, RequestID: c.settings.requestID, Err: err}
	}
	return err
}

// lacking adds what a refused call may lack.
func (c *call) lacking(refused *Error) {
	if refused.StatusCode == http.StatusForbidden {
		refused.Scopes, refused.grant = scopesOf(c.op.method, c.op.path), grantOf(c.op.method, c.op.path)
	}
}

// deletedBefore reports a 404 that only says that an earlier attempt of the
// same DELETE did its work.
func (o outcome) deletedBefore() bool {
	if o.call.op.method != http.MethodDelete || o.answer.Status != http.StatusNotFound || !o.sent.Uncertain() {
		return false
	}
	o.answer.Release() // the body describes a refusal, not the record
	return true
}

// read decodes a successful answer, and is the end of its body. The answer to a
// write that says nothing leaves out zero.
func (o outcome) read(out any) ([]codec.Fault, error) {
	faults, err := o.decode(out)
	if err != nil {
		return nil, err
	}
	o.answer.Release()
	return faults, nil
}

// decode is read for an answer whose body is still needed.
func (o outcome) decode(out any) ([]codec.Fault, error) {
	text, err := o.text()
	if err != nil || len(text) == 0 {
		return nil, err
	}
	faults, err := codec.Decode(text, out, models.Wire)
	if err != nil {
		return nil, o.unreadable(err)
	}
	o.call.applyVendorPrefix(out)
	return faults, nil
}

// text is the JSON text of a successful answer; empty when there is none. Many
// writes have none. A read without a body or with null is an error: it would
// pass for a record without any value.
func (o outcome) text() ([]byte, error) {
	text := bytes.TrimPrefix(o.answer.Body, byteOrderMark)
	start := bytes.TrimLeft(text, " \t\r\n")
	empty := len(start) == 0 || string(bytes.TrimRight(start, " \t\r\n")) == "null"
	switch {
	case !empty:
		return text, nil
	case o.call.op.class == transport.Read && o.call.op.method != http.MethodHead:
		return nil, o.unreadable(ErrEmptyAnswer)
	}
	return nil, nil
}

// unreadable is the error about an answer that is not what it should be.
func (o outcome) unreadable(err error) error {
	return &DecodeError{
		Operation: o.call.op.name, StatusCode: o.answer.Status, RequestID: o.call.settings.requestID,
		Body: o.call.mask().Bytes(o.answer.Body), Err: o.call.mask().Error(err),
	}
}

func (c *call) applyVendorPrefix(out any) {
	prefix := c.client.settings.vendorPrefix
	if prefix == "" {
		return
	}
	if prefixed, ok := out.(vendorPrefixed); ok {
		prefixed.ApplyVendorPrefix(prefix)
	}
}

func (c *call) applyVendorPrefixes(list reflect.Value) {
	for i := 0; c.client.settings.vendorPrefix != "" && i < list.Len(); i++ {
		c.applyVendorPrefix(list.Index(i).Addr().Interface())
	}
}

// vendorPrefixed is a record with members whose names begin with the vendor's
// own prefix.
type vendorPrefixed interface{ ApplyVendorPrefix(prefix string) }

// record is a pointer to a record of package models.
type record[T any] interface {
	*T
	json.Unmarshaler
}

// send sends the call and reads the record it answers with.
func send[T any, P record[T]](c *call) (*T, error) {
	out := new(T)
	read, err := c.into(P(out))
	if !read {
		return nil, err
	}
	return out, err
}

// into sends the call and reads its answer into a record, given by a pointer. It would
// be compiled again for every record if it were part of send.
//
//go:noinline
func (c *call) into(record any) (read bool, err error) {
	err = c.run(func(o outcome) error {
		faults, err := o.read(record)
		if err != nil {
			return err
		}
		read = true
		return errors.Join(c.recordErrors(faults, 0)...)
	})
	return read, err
}

// sendOnly sends a call whose answer has no record.
func sendOnly(c *call) error {
	return c.run(func(o outcome) error {
		o.answer.Release()
		return nil
	})
}

// recordErrors tells the caller which records of an answer could not be read.
func (c *call) recordErrors(faults []codec.Fault, offset int) []error {
	if len(faults) == 0 {
		return nil
	}
	errs := make([]error, len(faults))
	for i, fault := range faults {
		errs[i] = c.recordError(fault, offset)
	}
	return errs
}

func (c *call) recordError(fault codec.Fault, offset int) error {
	err := &RecordError{
		Operation: c.op.name, RequestID: c.settings.requestID,
		Index: offset + fault.Index, Path: fault.Path, Raw: c.mask().Bytes(fault.Raw), Err: c.mask().Error(fault.Err),
	}
	c.found.unreadable(err)
	return err
}
