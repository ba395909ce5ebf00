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
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

// Reasons of a ModifyError, for errors.Is.
var (
	// ErrChangedMeanwhile: somebody else changed the record after it was read.
	ErrChangedMeanwhile = errors.New("somebody else changed the record meanwhile")
	// ErrWouldBeLost: the write would clear members that nobody asked to clear.
	ErrWouldBeLost = errors.New("the write would lose members")
)

// UnknownMembers stands in WithLoss for all members that this version of the
// library does not know.
const UnknownMembers = "*"

// ModifyError reports a record that a Modify method did not write, because the
// write could have undone what somebody else has done.
type ModifyError struct {
	Operation string   // name of the method, such as "Matters.Modify"
	Members   []string // with ErrWouldBeLost, the members of the body, such as "clientRole"
	Unknown   []string // those of Members that the record has, but this version of the library does not know
	Err       error    // ErrChangedMeanwhile or ErrWouldBeLost
}

// Error names the method, the reason and the members.
func (e *ModifyError) Error() string {
	text := "practice: " + e.Operation + ": " + e.Err.Error()
	if known := e.known(); len(known) > 0 {
		text += ": " + strings.Join(known, ", ") + " (set them, or allow it by WithLoss)"
	}
	if len(e.Unknown) > 0 {
		text += ": " + strings.Join(e.Unknown, ", ") + ", unknown to this version of the library (allow it by WithLoss, or write the record by Client.Do)"
	}
	return text
}

func (e *ModifyError) known() (known []string) {
	for _, member := range e.Members {
		if !slices.Contains(e.Unknown, member) {
			known = append(known, member)
		}
	}
	return known
}

// Unwrap returns Err.
func (e *ModifyError) Unwrap() error { return e.Err }

// WithLoss allows a Modify method to clear members that cannot be read back, or
// that this version of the library does not know: the names in the body, as
// ModifyError gives them, or UnknownMembers. All other methods refuse it.
func WithLoss(members ...string) CallOption {
	return callOption(func(s *callSettings) error {
		for _, member := range members {
			if member == "" {
				return &ConfigError{"WithLoss", "needs the names of members"}
			}
		}
		s.loss = members
		return nil
	})
}

// modification is one call of a Modify method: W is the body that replaces the
// record, A the answer.
type modification[W, A any] struct {
	client *Client
	name   string // of the method
	from   *conversion
	read   func(ctx context.Context, opts ...CallOption) (any, error) // a pointer to the record
	write  func(ctx context.Context, body W, opts ...CallOption) (*A, error)
	opts   []CallOption
}

// modify does no more than the types need: all else is compiled once.
func modify[W, A any](ctx context.Context, m modification[W, A], change func(*W) error) (*A, error) {
	var body W
	var answer *A
	steps := modifySteps{
		client: m.client, name: m.name, from: m.from, opts: m.opts, body: &body, read: m.read,
		write: func(ctx context.Context, opts ...CallOption) (err error) {
			answer, err = m.write(ctx, body, opts...)
			return err
		},
	}
	if change != nil {
		steps.change = func() error { return change(&body) }
	}
	err := steps.run(ctx) // sets answer
	return answer, err
}

// modifySteps is a modification but for its types. The body is shared with
// change and write.
type modifySteps struct {
	client *Client
	name   string
	from   *conversion
	opts   []CallOption
	body   any // a pointer
	read   func(ctx context.Context, opts ...CallOption) (any, error)
	change func() error
	write  func(ctx context.Context, opts ...CallOption) error
}

// run reads the record, lets the caller change the body that would keep it as
// it is, and writes that, unless somebody else was faster.
func (m modifySteps) run(ctx context.Context) error {
	ctx, whole := m.client.observers.aggregate(ctx, Observation{Operation: m.name})
	err := m.changed(ctx)
	whole.end(err)
	return err
}

func (m modifySteps) changed(ctx context.Context) error {
	settings := m.client.settings.call
	for _, opt := range m.opts {
		if opt == nil {
			return &ConfigError{m.name, "got an option that is nil"}
		}
		if err := opt.applyCall(&settings); err != nil {
			return err
		}
	}
	if m.change == nil {
		return &ArgumentError{Operation: m.name, Argument: "change", Reason: "must not be nil"}
	}
	before, err := m.state(ctx)
	if err != nil {
		return err
	}
	if err := codec.Unmarshal(before.text, m.body, models.Wire); err != nil {
		return &DecodeError{Operation: m.name, Err: err}
	}
	if err := m.change(); err != nil {
		return err
	}
	if err := m.keepsAll(before, settings.loss); err != nil {
		return err
	}
	return m.replace(ctx, before, settings)
}

// keepsAll refuses a body that would clear members though nobody has said so.
// Whether an unknown member is state or only shown cannot be told: an error can
// be mended, lost data cannot.
func (m modifySteps) keepsAll(before convertedState, allowed []string) error {
	body, err := codec.AppendRequest(nil, m.body, models.Wire)
	if err != nil {
		return err
	}
	lost, unknown := cleared(body, before.unreadable, allowed), []string(nil)
	if !slices.Contains(allowed, UnknownMembers) {
		unknown = cleared(body, before.unknown, allowed)
	}
	if len(lost)+len(unknown) == 0 {
		return nil
	}
	return &ModifyError{Operation: m.name, Members: append(lost, unknown...), Unknown: unknown, Err: ErrWouldBeLost}
}

// replace writes the body. A write whose answer was lost may have been
// executed, and somebody else may have changed the record since: it is looked
// at again before each attempt, also before those of one call, such as after a
// 429.
func (m modifySteps) replace(ctx context.Context, before convertedState, settings callSettings) error {
	retries := m.client.retries(settings)
	var unsure *AmbiguousWriteError // the attempt before
	for tries := 0; ; tries++ {
		err := m.unchanged(ctx, before, unsure != nil)
		if err == nil {
			var changed error
			again := func(ctx context.Context) error {
				changed = m.unchanged(ctx, before, unsure != nil)
				return changed
			}
			err = m.write(ctx, m.without(func(s *callSettings) { s.loss, s.once, s.again = nil, true, again })...)
			err = cmp.Or(changed, err)
		}
		open, unknown := errors.AsType[*AmbiguousWriteError](err)
		switch {
		case err != nil && !unknown && unsure != nil:
			return fmt.Errorf("%w; an attempt before: %w", err, unsure)
		case !unknown || tries == retries.Max || !waitAfter(ctx, retries, tries, err):
			return err
		}
		unsure = open
	}
}

// unchanged fails when the record is neither as it was before nor, after an
// attempt to write it, as the body would leave it.
func (m modifySteps) unchanged(ctx context.Context, before convertedState, attempted bool) error {
	now, err := m.state(ctx)
	if err == nil && now.differs(before) && (!attempted || !now.is(m.body)) {
		err = &ModifyError{Operation: m.name, Err: ErrChangedMeanwhile}
	}
	return err
}

// waitAfter waits between two attempts, and reports whether there is another
// one.
func waitAfter(ctx context.Context, retries transport.Retries, tries int, err error) bool {
	wait := retries.Wait(tries, "")
	if refusal, ok := errors.AsType[*Error](err); ok && refusal.RetryAfter > 0 {
		wait = refusal.RetryAfter
	}
	return wait <= retries.MaxWait && backoff.Sleep(ctx, wait) == nil
}

// without are the options with others taken back.
func (m modifySteps) without(take func(*callSettings)) []CallOption {
	return append(m.opts[:len(m.opts):len(m.opts)], callOption(func(s *callSettings) error { take(s); return nil }))
}

// state reads the record and converts it.
func (m modifySteps) state(ctx context.Context) (convertedState, error) {
	record, err := m.read(ctx, m.without(func(s *callSettings) {
		s.loss, s.requestID, s.resourceID, s.externalID, s.version, s.response = nil, "", "", "", "", nil
	})...)
	if err != nil {
		return convertedState{}, err
	}
	text, err := codec.AppendRequest(nil, record, models.Wire)
	if err != nil {
		return convertedState{}, err
	}
	s := convertedState{}
	s.text = m.from.object(text, "", &s.takenOver)
	s.stamp, err = stampOf(json.RawMessage(text))
	s.whole = string(s.text)
	return s, err
}

// convertedState is a record as the body that would keep it.
type convertedState struct {
	stamp
	takenOver
	text []byte
}

// differs compares the bodies too: the version of a file is that of its
// content, and a new name leaves it as it is.
func (s convertedState) differs(before convertedState) bool {
	return s.stamp.differs(before.stamp) || !bytes.Equal(s.text, before.text)
}

// is reports whether the record is as a body would leave it.
func (s convertedState) is(body any) bool {
	own := reflect.New(reflect.TypeOf(body).Elem()).Interface()
	if codec.Unmarshal(s.text, own, models.Wire) != nil {
		return false
	}
	has, err := codec.AppendRequest(nil, own, models.Wire)
	wanted, unwritable := codec.AppendRequest(nil, body, models.Wire)
	return err == nil && unwritable == nil && bytes.Equal(has, wanted)
}

// cleared are the members that a body clears though nobody has said so.
func cleared(body json.RawMessage, members []memberAt, allowed []string) (lost []string) {
	for _, member := range members {
		name := member.String()
		if !slices.Contains(allowed, name) && !given(body, member.path()) && !slices.Contains(lost, name) {
			lost = append(lost, name)
		}
	}
	return lost
}

// given reports whether the caller has decided about a member: it is set, or
// what it belongs to is not there. Of a list, every element has to be decided.
func given(text json.RawMessage, path []string) bool {
	var elements []json.RawMessage
	if json.Unmarshal(text, &elements) == nil {
		for _, element := range elements {
			if !given(element, path) {
				return false
			}
		}
		return true
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil || members == nil {
		return true // cleared as a whole
	}
	value, there := members[path[0]]
	if len(path) == 1 {
		return there
	}
	return !there || given(value, path[1:])
}

// oneID and its like call a method of a service with the ids of the record.
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
