package sandbox

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"

	"github.com/practicesdk/practice-go/practicetest"
)

// shared is an output for lines from several goroutines.
type shared struct {
	mu sync.Mutex
	to io.Writer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.to.Write(p)
}

// requestLog returns a function that prints warnings, and requests in the form
// text or json; any other form prints no requests. It prints no header, no body
// and no query of a pre-signed address, since they may hold secrets, and it
// prints the answer only of a refusal.
func requestLog(form string, out io.Writer) func(practicetest.RecordedRequest) {
	var log slog.Handler
	switch form {
	case "text":
		log = slog.NewTextHandler(out, nil)
	case "json":
		log = slog.NewJSONHandler(out, nil)
	}
	return func(r practicetest.RecordedRequest) {
		for _, text := range r.Warnings {
			_, _ = fmt.Fprintf(out, "warning: %s %s (%s): %s\n", r.Method, r.Path, r.Operation, text) // an error has nowhere to go
		}
		if log == nil {
			return
		}
		entry := slog.NewRecord(r.When, slog.LevelInfo, "request", 0)
		entry.AddAttrs(slog.String("part", r.Part), slog.String("operation", r.Operation), slog.String("method", r.Method), slog.String("path", r.Path))
		if r.RawQuery != "" && r.Part == practicetest.PartAPI {
			entry.AddAttrs(slog.String("query", r.RawQuery))
		}
		entry.AddAttrs(slog.Int("status", r.Status), slog.Int64("bodyBytes", r.BodyBytes), slog.String("requestId", r.RequestID))
		if r.Answer != nil && r.Part == practicetest.PartAPI {
			entry.AddAttrs(slog.String("answer", string(r.Answer)))
		}
		if r.Violations != nil {
			entry.AddAttrs(slog.Any("violations", r.Violations))
		}
		_ = log.Handle(context.Background(), entry) // an error has nowhere to go
	}
}
