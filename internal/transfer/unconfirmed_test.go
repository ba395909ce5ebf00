package transfer

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/storage"
	"github.com/practicesdk/practice-go/internal/transport"
)

// TestAContentThatEndsWithItsConnectionIsWholeOrAnError checks contents of
// unknown size whose response ends with the connection, so that a truncated
// document looks complete.
func TestAContentThatEndsWithItsConnectionIsWholeOrAnError(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("0123456789", 10)
	cut := func(after int) fault { return fault{after: after, hangsUp: true} }
	for _, test := range []struct {
		rule   string
		now    version
		knows  bool // the storage reports the size in responses to ranges
		faults []fault
		is     []error // expected errors for a way that cannot start over; none: all succeed
		always bool    // also for ways that can start over
	}{
		{"whole, and the storage confirms it", version{text, "v1"}, true, nil, nil, false},
		{"cut off once", version{text, "v1"}, true, []fault{cut(40)}, nil, false},
		{"cut off before the first byte", version{text, "v1"}, true, []fault{cut(0)}, nil, false},
		{"cut off before the last byte", version{text, "v1"}, true, []fault{cut(99)}, nil, false},
		{"cut off again and again", version{text, "v1"}, true, []fault{cut(40), {after: -1}, cut(40), cut(19)}, nil, false},
		{"the question is not answered at once", version{text, "v1"}, true, []fault{{after: -1}, {err: busy}, {err: errReset}}, nil, false},
		{"the question is never answered", version{text, "v1"}, true, append([]fault{{after: -1}}, slices.Repeat([]fault{{err: busy}}, 9)...), []error{busy}, true},
		{"no version, and whole", version{text, ""}, true, nil, nil, false},
		{"no version, and cut off", version{text, ""}, true, []fault{cut(40)}, []error{ErrNotResumable}, false},
		{"empty", version{"", "v1"}, true, nil, nil, false},
		{"empty, without a version", version{"", ""}, true, nil, nil, false},
		{"nobody knows the size", version{text, "v1"}, false, nil, []error{ErrSizeUnknown}, true},
		{"nobody knows the size, and cut off", version{text, "v1"}, false, slices.Repeat([]fault{cut(40)}, 9), []error{ErrSizeUnknown}, true},
		{"nobody knows the size, without a version", version{text, ""}, false, []fault{cut(40)}, []error{ErrSizeUnknown}, true},
	} {
		for way, read := range ways() {
			reads, faults := strings.HasPrefix(way, "reader"), test.faults
			if way != "writer" {
				faults = append([]fault{{after: -1}}, faults...) // the first request only gets the size
			}
			t.Run(test.rule+"/"+way, func(t *testing.T) {
				t.Parallel()
				s := given(test.now, faults...)
				s.service.size, s.closes, s.noSize = -1, true, !test.knows
				got, err := read(t, s.ranged(3, 1))
				switch {
				case reads:
					require.ErrorIs(t, err, ErrSizeUnknown)
				case test.always, len(test.is) > 0 && way == "writer":
					assert.True(t, slices.ContainsFunc(test.is, func(is error) bool { return errors.Is(err, is) }), "%v", err)
				default:
					require.NoError(t, err)
					assert.Equal(t, test.now.content, got)
				}
			})
		}
	}
}

func TestAContentThatBecameShorterMeanwhileIsAnError(t *testing.T) {
	t.Parallel()
	s := given(version{"0123456789", ""})
	s.service.size, s.closes = -1, true
	_, err := s.object().CopyTo(t.Context(), &publishing{s: s, then: version{"01234", ""}})
	require.ErrorIs(t, err, ErrSizeMismatch)
}

func TestARangeOfAnUnknownWholeIsNotItsEnd(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("0123456789", 10)
	for rule, faults := range map[string][]fault{
		"a part of the rest":     {{after: 40}, {after: 10, ends: true}, {after: 20, ends: true}},
		"a part that breaks off": {{after: 40}, {after: 10, hangsUp: true}},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			s := given(version{text, "v1"}, faults...)
			s.service.size, s.star = -1, true
			var got strings.Builder
			_, err := s.object().CopyTo(t.Context(), &got)
			require.ErrorIs(t, err, ErrSizeUnknown)
			assert.True(t, strings.HasPrefix(text, got.String()))
		})
	}
}

func TestTheQuestionForTheSizeIsWatchedAsAnExchangeOfItsOwn(t *testing.T) {
	t.Parallel()
	s := given(version{"0123456789", "v1"}, fault{after: 4, hangsUp: true})
	s.service.size, s.closes = -1, true
	var ended []transport.Attempt
	s.transfer.Watch = func(ctx context.Context, _ Exchange) (context.Context, func(int, transport.Attempt)) {
		return ctx, func(_ int, a transport.Attempt) { ended = append(ended, a) }
	}
	var got strings.Builder
	_, err := s.object().CopyTo(t.Context(), &got)
	require.NoError(t, err)
	assert.Equal(t, "0123456789", got.String())
	assert.Equal(t, []storage.Part{{}, {To: 1, ETag: "v1"}, {From: 4, ETag: "v1"}}, s.asked())
	var told []transport.Attempt
	for _, a := range ended {
		told = append(told, transport.Attempt{BytesReceived: a.BytesReceived, Reason: a.Reason})
	}
	assert.Equal(t, []transport.Attempt{
		{Reason: "success"}, {BytesReceived: 4, Reason: "the transfer is incomplete"}, {BytesReceived: 6, Reason: "success"},
	}, told, "in the order in which they ended")
}
