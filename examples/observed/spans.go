package main

import (
	"slices"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/practicesdk/practice-go/examples/internal/term"
)

// trees prints each call as a tree of its spans.
func (o *observed) trees() {
	spans := o.spans.GetSpans()
	slices.SortStableFunc(spans, func(a, b tracetest.SpanStub) int { return a.StartTime.Compare(b.StartTime) })
	below := map[trace.SpanID][]tracetest.SpanStub{}
	for _, s := range spans {
		below[s.Parent.SpanID()] = append(below[s.Parent.SpanID()], s)
	}
	for _, call := range below[trace.SpanID{}] {
		root := &term.Tree{}
		grow(root, call, below)
		o.Tree(root)
	}
}

func grow(tree *term.Tree, s tracetest.SpanStub, below map[trace.SpanID][]tracetest.SpanStub) {
	tree.Text = describe(s)
	for _, child := range below[s.SpanContext.SpanID()] {
		grow(tree.Add(""), child, below)
	}
}

// describe returns the attributes that a line of a tree has room for.
func describe(s tracetest.SpanStub) string {
	set := attribute.NewSet(s.Attributes...)
	parts := []string{s.Name, s.EndTime.Sub(s.StartTime).Round(10 * time.Microsecond).String()}
	for _, d := range []struct {
		key   attribute.Key
		label string
	}{
		{"http.response.status_code", ""}, {"error.type", "error "}, {"practice.reason", ""},
		{"http.request.resend_count", "resend "}, {"http.request.body.size", "sent "},
		{"http.response.body.size", "received "}, {"server.address", ""},
	} {
		value, ok := set.Value(d.key)
		if text := value.String(); ok && text != "0" && text != "success" && !slices.Contains(parts, text) {
			parts = append(parts, d.label+text)
		}
	}
	return strings.Join(parts, "  ")
}
