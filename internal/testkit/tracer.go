package testkit

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	practice "github.com/practicesdk/practice-go"
)

// Span records a call or an attempt for a tracer.
type Span struct {
	Parent         *Span
	Started, Ended practice.Observation
	Ends           int
	Header         bool // the request had a header map to add to
}

// SpanKey is the key of the *Span of a context.
type SpanKey struct{}

// TraceRecorder is a tracer that records spans.
type TraceRecorder struct {
	Add http.Header // header that is added to every attempt

	mu    sync.Mutex
	Spans []*Span
}

// Start starts a span and returns a context that holds it.
func (r *TraceRecorder) Start(ctx context.Context, started practice.Observation, header http.Header) context.Context {
	r.mu.Lock()
	defer r.mu.Unlock()
	parent, _ := ctx.Value(SpanKey{}).(*Span)
	begun := &Span{Parent: parent, Started: started, Header: header != nil}
	r.Spans = append(r.Spans, begun)
	for name, values := range r.Add {
		if header != nil {
			header[name] = values
		}
	}
	return context.WithValue(ctx, SpanKey{}, begun)
}

// End ends the span of the context.
func (r *TraceRecorder) End(ctx context.Context, ended practice.Observation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	begun, _ := ctx.Value(SpanKey{}).(*Span)
	begun.Ended = ended
	begun.Ends++
}

// Below returns the child spans of parent, in the order of their start.
func (r *TraceRecorder) Below(parent *Span) []*Span {
	r.mu.Lock()
	defer r.mu.Unlock()
	var found []*Span
	for _, s := range r.Spans {
		if s.Parent == parent {
			found = append(found, s)
		}
	}
	return found
}

// Complete checks that each span that was started has ended once.
func (r *TraceRecorder) Complete(t *testing.T) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.Spans {
		assert.Equal(t, 1, s.Ends, "%+v", s.Started)
	}
}

// HostOf returns a URL without its path.
func HostOf(address string) string {
	host, _, _ := strings.Cut(strings.TrimPrefix(address, "http://"), "/")
	return "http://" + host
}
