package practice

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/internal/conversion"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

// Reasons of a ModifyError; use errors.Is.
var (
	// ErrChangedMeanwhile: another client changed the record after it was
	// read.
	ErrChangedMeanwhile = errors.New("the record changed after it was read")
	// ErrWouldBeLost: the write would clear members without the caller's
	// intent, or change a text that could not be read exactly.
	ErrWouldBeLost = errors.New("the write would lose members")
)

// UnknownMembers stands in WithLoss for the members that this version of the
// library does not know.
const UnknownMembers = "*"

// ModifyError reports a record that a Modify method did not write, because the
// write could have cleared members or undone another client's change.
type ModifyError struct {
	Operation string   // name of the method, such as "Matters.Modify"
	Members   []string // with ErrWouldBeLost: members of the body, such as "clientRole"
	Unknown   []string // the part of Members that is in the record but unknown to this version of the library
	Patch     string   // method that sends only what changes, such as "Matters.Patch"; empty: none
	Err       error    // ErrChangedMeanwhile or ErrWouldBeLost
}

// Error returns the method, the reason and the members.
func (e *ModifyError) Error() string {
	text := "practice: " + e.Operation + ": " + e.Err.Error()
	if known := e.known(); len(known) > 0 {
		text += ": " + strings.Join(known, ", ") + " (set them, or allow the loss with WithLoss)"
	}
	if len(e.Unknown) > 0 {
		text += ": " + strings.Join(e.Unknown, ", ") + ", which this version of the library does not know (allow the loss with WithLoss, or write the record with Client.Do)"
	}
	if e.Patch != "" {
		text += "; " + e.Patch + " sends only the changed members"
	}
	return text
}

func (e *ModifyError) known() (known []string) {
	unknown := map[string]bool{}
	for _, member := range e.Unknown {
		unknown[member] = true
	}
	for _, member := range e.Members {
		if !unknown[member] {
			known = append(known, member)
		}
	}
	return known
}

// Unwrap returns Err.
func (e *ModifyError) Unwrap() error { return e.Err }

// WithLoss allows Modify methods to clear members that cannot be read back, or
// that this version of the library does not know: the names in the body, in the
// form of ModifyError.Members, or UnknownMembers. If the service requires such
// a member, such as the key of a webhook, null is sent. All other methods
// reject the option.
//
// As an option of a client, WithLoss takes only UnknownMembers and applies to
// all its Modify methods. Programs then keep working when a later release of
// the service adds members to its records. In both cases [Observation] and the
// log name the unknown members that were left out.
func WithLoss(members ...string) Option { return lossOption(members) }

type lossOption []string

func (l lossOption) applyClient(s *settings) error {
	if !slices.Equal(l, []string{UnknownMembers}) {
		return &ConfigError{"WithLoss", "accepts only UnknownMembers when used as a client option"}
	}
	s.call.leaveOut = true
	return nil
}

func (l lossOption) applyCall(s *callSettings) error {
	if slices.Contains(l, "") {
		return &ConfigError{"WithLoss", "requires at least one member name"}
	}
	s.loss = l
	return nil
}

// modification describes one call of a Modify method. W is the type of the body
// that replaces the record, A that of the response.
type modification[W, A any] struct {
	client *Client
	name   string                                                     // name of the method
	patch  string                                                     // method that sends only what changes; empty: none
	read   func(ctx context.Context, opts ...CallOption) (any, error) // returns a pointer to the record
	write  func(ctx context.Context, body W, opts ...CallOption) (*A, error)
	opts   []CallOption
}

// modify contains only what depends on the types; everything else is compiled
// once.
func modify[W, A any](ctx context.Context, m modification[W, A], change func(*W) error) (*A, error) {
	var body W
	var answer *A
	steps := modifySteps{
		client: m.client, name: m.name, patch: m.patch, opts: m.opts, body: &body, read: m.read,
		write: func(ctx context.Context, opts ...CallOption) (err error) {
			answer, err = m.write(ctx, body, opts...)
			return err
		},
	}
	if change != nil {
		steps.change = func() error { return change(&body) }
	}
	err := steps.run(ctx) // run sets answer
	return answer, err
}

// modifySteps is a modification without its types. The functions change and
// write share body.
type modifySteps struct {
	client  *Client
	name    string
	patch   string
	opts    []CallOption
	body    any      // pointer to the body
	allowed []string // members that the caller allows to be lost
	read    func(ctx context.Context, opts ...CallOption) (any, error)
	change  func() error
	write   func(ctx context.Context, opts ...CallOption) error
}

// run reads the record, lets the caller change the body that would keep it, and
// writes that body, unless the record changes meanwhile.
func (m modifySteps) run(ctx context.Context) error {
	ctx, whole := m.client.observers.aggregate(ctx, Observation{Operation: m.name})
	err := transport.ErrNoReturn
	defer func() { whole.end(err) }()
	leftOut, err := m.changed(ctx)
	if err == nil || maybeMade(err) {
		whole.leftOut(leftOut)
	}
	return err
}

// changed implements run and returns the unknown members that the write leaves
// out.
func (m modifySteps) changed(ctx context.Context) (leftOut []string, err error) {
	settings := m.client.settings.call
	for _, opt := range m.opts {
		if opt == nil {
			return nil, &ConfigError{m.name, "received a nil option"}
		}
		if err := opt.applyCall(&settings); err != nil {
			return nil, err
		}
	}
	if m.change == nil {
		return nil, &ArgumentError{Operation: m.name, Argument: "change", Reason: "must not be nil"}
	}
	m.allowed = settings.loss
	before, err := m.state(ctx)
	if err != nil {
		return nil, err
	}
	if err := codec.Unmarshal(before.text, m.body, models.Wire); err != nil {
		return nil, &DecodeError{Operation: m.name, Err: err}
	}
	c := conversion.Change{From: conversion.Of(m.name)}
	if c.Before, err = m.written(); err != nil {
		return nil, err
	}
	if err := m.change(); err != nil {
		return nil, err
	}
	if c.After, err = m.written(); err != nil {
		return nil, err
	}
	lost, unknown := c.Cleared(before.Unreadable, m.allowed), c.Cleared(before.Unknown, m.allowed)
	if settings.leaveOut || slices.Contains(m.allowed, UnknownMembers) {
		unknown, leftOut = nil, unknown
	}
	if len(lost)+len(unknown) > 0 {
		return nil, &ModifyError{Operation: m.name, Members: append(lost, unknown...), Unknown: unknown, Patch: m.patch, Err: ErrWouldBeLost}
	}
	return leftOut, explained(m.replace(ctx, before, c, settings), c.From)
}

// explained adds a hint to the refusal of a member that no record contains.
func explained(err error, from *conversion.Table) error {
	if refused, is := errors.AsType[*ArgumentError](err); is && !from.Has(refused.Argument) {
		refused.Reason += "; records do not have this member: set it in the function that changes the body"
	}
	return err
}

// written returns the body as it would be sent.
func (m modifySteps) written() (any, error) {
	text, err := codec.AppendRequest(nil, m.body, models.Wire)
	return conversion.Parse(text), err
}

// replace writes the body. If the response is lost, the write may have been
// executed, and another client may have changed the record since. So the record
// is read again before each further attempt, including retries within one call,
// such as after a 429.
func (m modifySteps) replace(ctx context.Context, before convertedState, c conversion.Change, settings callSettings) error {
	retries := m.client.retries(settings)
	var unsure *AmbiguousWriteError // error of the previous attempt
	for tries := 0; ; tries++ {
		err := m.unchanged(ctx, before, unsure != nil)
		if err == nil {
			var changed error
			again := func(ctx context.Context) error {
				changed = m.unchanged(ctx, before, unsure != nil)
				return changed
			}
			err = m.write(ctx, m.with(func(s *callSettings) { s.loss, s.once, s.again, s.tookOver = nil, true, again, c.TookOver })...)
			err = cmp.Or(changed, err)
		}
		open, unknown := errors.AsType[*AmbiguousWriteError](err)
		switch {
		case err != nil && !unknown && unsure != nil:
			return fmt.Errorf("%w; previous attempt: %w", err, unsure)
		case !unknown || tries == retries.Max || !waitAfter(ctx, retries, tries, err):
			return err
		}
		unsure = open
	}
}

// unchanged returns an error unless the record is as it was before or, after an
// attempt to write it, as the body would make it.
func (m modifySteps) unchanged(ctx context.Context, before convertedState, attempted bool) error {
	now, err := m.state(ctx)
	if err == nil && now.differs(before) && (!attempted || !now.is(m.body)) {
		err = &ModifyError{Operation: m.name, Err: ErrChangedMeanwhile}
	}
	return err
}

// waitAfter waits between two attempts. It returns false if there is no further
// attempt.
func waitAfter(ctx context.Context, retries transport.Retries, tries int, err error) bool {
	wait := retries.Wait(tries, 0)
	if refusal, ok := errors.AsType[*Error](err); ok && refusal.RetryAfter > 0 {
		wait = refusal.RetryAfter
	}
	return wait <= retries.MaxWait && backoff.Sleep(ctx, wait) == nil
}

// with returns the options of a call that Modify makes.
func (m modifySteps) with(set func(*callSettings)) []CallOption {
	return append(m.opts[:len(m.opts):len(m.opts)], callOption(func(s *callSettings) error {
		s.method = m.name
		set(s)
		return nil
	}))
}

// state reads the record and converts it to a body.
func (m modifySteps) state(ctx context.Context) (convertedState, error) {
	record, err := m.read(ctx, m.with(func(s *callSettings) {
		s.further()
		s.loss, s.marked = nil, true
	})...)
	if err != nil {
		return convertedState{}, err
	}
	text, err := codec.AppendRequest(nil, record, models.Wire)
	if err != nil {
		return convertedState{}, err
	}
	s := convertedState{}
	s.text, s.Left = conversion.Of(m.name).Body(text, m.allowed)
	s.stamp, err = stampOf(json.RawMessage(text))
	s.whole = string(s.text)
	return s, err
}

// convertedState is a record with the body of a write that would leave it as it
// is.
type convertedState struct {
	stamp
	conversion.Left
	text []byte
}

// differs also compares the bodies, because the version of a file does not
// change with its name.
func (s convertedState) differs(before convertedState) bool {
	return s.stamp.differs(before.stamp) || !bytes.Equal(s.text, before.text)
}

// is reports whether the record is as body would leave it.
func (s convertedState) is(body any) bool {
	own := reflect.New(reflect.TypeOf(body).Elem()).Interface()
	if codec.Unmarshal(s.text, own, models.Wire) != nil {
		return false
	}
	has, err := codec.AppendRequest(nil, own, models.Wire)
	wanted, unwritable := codec.AppendRequest(nil, body, models.Wire)
	return err == nil && unwritable == nil && bytes.Equal(has, wanted)
}

// oneID and the functions below adapt a service method to the ids of the
// record.
func oneID[R any](get func(context.Context, string, ...CallOption) (*R, error), id string) func(context.Context, ...CallOption) (any, error) {
	return func(ctx context.Context, opts ...CallOption) (any, error) { return get(ctx, id, opts...) }
}

func ontoID[W, A any](put func(context.Context, string, W, ...CallOption) (*A, error), id string) func(context.Context, W, ...CallOption) (*A, error) {
	return func(ctx context.Context, body W, opts ...CallOption) (*A, error) { return put(ctx, id, body, opts...) }
}

func twoIDs[R any](get func(context.Context, string, string, ...CallOption) (*R, error), above, id string) func(context.Context, ...CallOption) (any, error) {
	return func(ctx context.Context, opts ...CallOption) (any, error) { return get(ctx, above, id, opts...) }
}

func ontoTwoIDs[W, A any](put func(context.Context, string, string, W, ...CallOption) (*A, error), above, id string) func(context.Context, W, ...CallOption) (*A, error) {
	return func(ctx context.Context, body W, opts ...CallOption) (*A, error) {
		return put(ctx, above, id, body, opts...)
	}
}
