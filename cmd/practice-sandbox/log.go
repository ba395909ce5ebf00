package main

import (
	"context"
	"io"
	"log/slog"
	"sync"

	"github.com/practicesdk/practice-go/practicetest"
)

// shared is an output that several goroutines write lines to.
type shared struct {
	mu sync.Mutex
	to io.Writer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.to.Write(p)
}

// requestLog prints requests in a form, text or json; nil for none. It prints
// no header and no body, and no query of a pre-signed address: those may hold
// secrets.
func requestLog(form string, out io.Writer) func(practicetest.RecordedRequest) {
	var log slog.Handler
	switch form {
	case "text":
		log = slog.NewTextHandler(out, nil)
	case "json":
		log = slog.NewJSONHandler(out, nil)
	default:
		return nil
	}
	return func(r practicetest.RecordedRequest) {
		entry := slog.NewRecord(r.When, slog.LevelInfo, "request", 0)
		entry.AddAttrs(slog.String("part", r.Part), slog.String("operation", r.Operation), slog.String("method", r.Method), slog.String("path", r.Path))
		if r.RawQuery != "" && r.Part == practicetest.PartAPI {
			entry.AddAttrs(slog.String("query", r.RawQuery))
		}
		entry.AddAttrs(slog.Int("status", r.Status), slog.Int64("bodyBytes", r.BodyBytes), slog.String("requestId", r.RequestID))
		_ = log.Handle(context.Background(), entry) // there is no other place to say it
	}
}
