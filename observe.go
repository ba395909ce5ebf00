package practice

import (
	"context"
	"log/slog"
	"time"

	"github.com/practicesdk/practice-go/internal/transport"
)

const firstRetryWait = 500 * time.Millisecond

// Observation is one attempt or one whole call, as WithObserver sees it. Its
// texts have few different values, so that they can be labels of metrics.
type Observation struct {
	Operation     string        // name of the method, such as "Staff.Get"
	Method        string        // HTTP method
	Path          string        // path template, such as "/staff/{id}"
	RequestID     string        // the RequestId of all attempts
	Call          bool          // the whole call rather than one attempt
	Attempt       int           // number of the attempt, from 1; of a call, how many there were
	Status        int           // HTTP status; 0 when no answer came
	Duration      time.Duration // of a call, waits included
	BytesSent     int64         // of request bodies
	BytesReceived int64         // of answer bodies
	Err           error         // why the attempt brought no whole answer, or what the call returned
	Reason        string        // of an attempt: why another followed, or why none did
}

// watcher tells the logger and the observer of a client about one call.
type watcher struct {
	client  *Client
	ctx     context.Context
	base    Observation
	started time.Time
}

func (c *Client) watch(p *call) watcher {
	return watcher{client: c, ctx: p.ctx, started: time.Now(), base: Observation{
		Operation: p.op.name, Method: p.op.method, Path: p.op.path, RequestID: p.settings.requestID,
	}}
}

// Attempt is told of each attempt by the transport.
func (w *watcher) Attempt(a transport.Attempt) {
	if w.client.settings.observer != nil {
		o := w.base
		o.Attempt, o.Status, o.Duration = a.Number, a.Status, a.Duration
		o.BytesSent, o.BytesReceived = a.BytesSent, a.BytesReceived
		o.Err, o.Reason = a.Err, a.Reason
		w.client.settings.observer(w.ctx, o)
	}
	logger := w.client.settings.logger
	if logger == nil || !logger.Enabled(w.ctx, slog.LevelDebug) {
		return
	}
	attrs := append(w.labels(),
		slog.Int("attempt", a.Number), slog.Int("status", a.Status), slog.Duration("duration", a.Duration),
		slog.Int64("bytes_sent", a.BytesSent), slog.Int64("bytes_received", a.BytesReceived),
		slog.String("reason", a.Reason), slog.Duration("wait", a.Wait))
	if a.Err != nil {
		attrs = append(attrs, slog.String("error", oneLine(a.Err.Error())))
	}
	logger.LogAttrs(w.ctx, slog.LevelDebug, "practice: attempt", attrs...)
}

func (w *watcher) finished(o outcome, err error) {
	status := 0
	if o.answer != nil {
		status = o.answer.Status
	}
	if observe := w.client.settings.observer; observe != nil {
		seen := w.base
		seen.Call, seen.Attempt, seen.Status, seen.Duration, seen.Err = true, len(o.sent.Attempts), status, time.Since(w.started), err
		for i := range o.sent.Attempts {
			seen.BytesSent += o.sent.Attempts[i].BytesSent
			seen.BytesReceived += o.sent.Attempts[i].BytesReceived
		}
		observe(w.ctx, seen)
	}
	if logger := w.client.settings.logger; logger != nil && err != nil {
		attrs := append(w.labels(),
			slog.Int("attempts", len(o.sent.Attempts)), slog.Int("status", status),
			slog.Duration("duration", time.Since(w.started)), slog.String("error", oneLine(err.Error())))
		logger.LogAttrs(w.ctx, slog.LevelWarn, "practice: call failed", attrs...)
	}
}

func (w *watcher) labels() []slog.Attr {
	return []slog.Attr{
		slog.String("operation", w.base.Operation), slog.String("method", w.base.Method),
		slog.String("path", w.base.Path), slog.String("request_id", w.base.RequestID),
	}
}
