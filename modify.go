package practice

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/models"
)

// Reasons of a ModifyError, for errors.Is.
var (
	// ErrChangedMeanwhile: somebody else changed the record after it was read.
	ErrChangedMeanwhile = errors.New("somebody else changed the record meanwhile")
	// ErrWouldBeLost: the write would clear members that cannot be read back.
	ErrWouldBeLost = errors.New("the write would lose what cannot be read back")
)

// ModifyError reports a record that a Modify method did not write, because the
// write could have undone what somebody else has done.
type ModifyError struct {
	Operation string   // name of the method, such as "Matters.Modify"
	Members   []string // with ErrWouldBeLost, the members of the body, such as "clientRole"
	Err       error    // ErrChangedMeanwhile or ErrWouldBeLost
}

// Error names the method, the reason and the members.
func (e *ModifyError) Error() string {
	text := "practice: " + e.Operation + ": " + e.Err.Error()
	if len(e.Members) > 0 {
		text += ": " + strings.Join(e.Members, ", ") + " (set them, or allow it by WithLoss)"
	}
	return text
}

// Unwrap returns Err.
func (e *ModifyError) Unwrap() error { return e.Err }

// WithLoss allows a Modify method to clear members that cannot be read back: the
// names in the body, as ModifyError gives them. All other methods refuse it.
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

// modification is one call of a Modify method: R is the record, W the body that
// replaces it, A the answer.
type modification[R, W, A any] struct {
	client *Client
	name   string // of the method
	from   *conversion
	read   func(ctx context.Context, opts ...CallOption) (*R, error)
	write  func(ctx context.Context, body W, opts ...CallOption) (*A, error)
	opts   []CallOption
}

// run does no more than the types need: all else is compiled once.
func (m modification[R, W, A]) run(ctx context.Context, change func(*W) error) (*A, error) {
	var body W
	var answer *A
	steps := modifySteps{
		client: m.client, name: m.name, from: m.from, opts: m.opts, body: &body,
		read: func(ctx context.Context, opts ...CallOption) (any, error) { return m.read(ctx, opts...) },
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

// modifySteps is a modification but for its types. The body is shared with change
// and write.
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

// run reads the record, lets the caller change the body that would keep it as it
// is, and writes that, unless somebody else was faster.
func (m modifySteps) run(ctx context.Context) error {
	ctx, whole := m.client.observeWhole(ctx, Observation{Operation: m.name})
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
	if lost, err := before.lost(m.body, settings.loss); err != nil || len(lost) > 0 {
		return errors.Join(err, m.refused(lost, ErrWouldBeLost))
	}
	if now, err := m.state(ctx); err != nil || now.differs(before) {
		return errors.Join(err, m.refused(nil, ErrChangedMeanwhile))
	}
	return m.write(ctx, m.without(func(s *callSettings) { s.loss = nil })...)
}

func (m modifySteps) refused(members []string, why error) error {
	return &ModifyError{Operation: m.name, Members: members, Err: why}
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
	s.text = m.from.object(text, "", &s.unreadable)
	s.stamp, err = stampOf(json.RawMessage(text))
	s.whole = string(s.text)
	return s, err
}

// convertedState is a record as the body that would keep it.
type convertedState struct {
	stamp
	text       []byte
	unreadable []string // members that the body lacks
}

// differs compares the bodies too: the version of a file is that of its content, and
// a new name leaves it as it is.
func (s convertedState) differs(before convertedState) bool {
	return s.stamp.differs(before.stamp) || !bytes.Equal(s.text, before.text)
}

// lost are the members that the body clears though nobody has said so.
func (s convertedState) lost(body any, allowed []string) (lost []string, err error) {
	text, err := codec.AppendRequest(nil, body, models.Wire)
	if err != nil {
		return nil, err
	}
	for _, member := range s.unreadable {
		if !contains(allowed, member) && !given(text, strings.Split(member, ".")) && !contains(lost, member) {
			lost = append(lost, member)
		}
	}
	return lost, nil
}

func contains(names []string, name string) bool {
	for _, one := range names {
		if one == name {
			return true
		}
	}
	return false
}

// given tells whether the caller has decided about a member: it is set, or what it
// belongs to is not there. Of a list, every element has to be decided.
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

// oneID and its like give a method of a service the ids of the record.
func oneID[R any](get func(context.Context, string, ...CallOption) (*R, error), id string) func(context.Context, ...CallOption) (*R, error) {
	return func(ctx context.Context, opts ...CallOption) (*R, error) { return get(ctx, id, opts...) }
}

func ontoID[W, A any](put func(context.Context, string, W, ...CallOption) (*A, error), id string) func(context.Context, W, ...CallOption) (*A, error) {
	return func(ctx context.Context, body W, opts ...CallOption) (*A, error) { return put(ctx, id, body, opts...) }
}

func twoIDs[R any](get func(context.Context, string, string, ...CallOption) (*R, error), above, id string) func(context.Context, ...CallOption) (*R, error) {
	return func(ctx context.Context, opts ...CallOption) (*R, error) { return get(ctx, above, id, opts...) }
}

func ontoTwoIDs[W, A any](put func(context.Context, string, string, W, ...CallOption) (*A, error), above, id string) func(context.Context, W, ...CallOption) (*A, error) {
	return func(ctx context.Context, body W, opts ...CallOption) (*A, error) {
		return put(ctx, above, id, body, opts...)
	}
}
