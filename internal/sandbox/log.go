package sandbox

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"

	"github.com/practicesdk/practice-go/practicetest"
)

// shared is a writer that several goroutines may use at once.
type shared struct {
	mu sync.Mutex
	to io.Writer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.to.Write(p)
}

// requestLog returns a function that writes each warning to out and, if form is
// "text" or "json", each request. Headers, bodies and the queries of pre-signed
// addresses are left out, because they may hold secrets. The response body is
// written only if the request was refused.
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
			_, _ = fmt.Fprintf(out, "warning: %s %s (%s): %s\n", r.Method, r.Path, r.Operation, text) // there is nowhere to report a failed write
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
		_ = log.Handle(context.Background(), entry) // there is nowhere to report a failed write
	}
}
