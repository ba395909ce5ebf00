package practice

import (
	"context"
	"log/slog"
	"net/http"
	"time"
)

// logAttempt writes the line of an attempt, and leaves out attributes without a value.
func (c *Client) logAttempt(ctx context.Context, seen Observation, wait time.Duration) {
	logger := c.settings.logger
	if logger == nil || !logger.Enabled(ctx, slog.LevelDebug) {
		return
	}
	line := make(logLine, 0, 17)
	line.text("operation", seen.Operation)
	line.number("attempt", int64(seen.Attempt))
	line.outcome(seen)
	if seen.Err != nil || seen.Status >= http.StatusMultipleChoices {
		line.text("reason", seen.Reason)
	}
	line.duration("wait", wait)
	line.waits(seen)
	line.number("sent", seen.BytesSent)
	line.number("received", seen.BytesReceived)
	line.origin(seen)
	logger.LogAttrs(ctx, slog.LevelDebug, "practice: attempt", line...)
}

// logCall writes the line of a call that failed.
func (c *Client) logCall(ctx context.Context, seen Observation) {
	logger := c.settings.logger
	if logger == nil || seen.Err == nil || !logger.Enabled(ctx, slog.LevelWarn) {
		return
	}
	line := make(logLine, 0, 16)
	line.text("operation", seen.Operation)
	line.number("attempts", int64(seen.Attempt))
	line.outcome(seen)
	line.text("reason", seen.Reason)
	line.waits(seen)
	line.number("records", int64(seen.Records))
	line.number("unreadable", int64(seen.Unreadable))
	line.origin(seen)
	logger.LogAttrs(ctx, slog.LevelWarn, "practice: call failed", line...)
}

// logLine is what stands in a line of the log, the interesting things first.
type logLine []slog.Attr

func (l *logLine) text(key, value string) {
	if value != "" {
		*l = append(*l, slog.String(key, value))
	}
}

func (l *logLine) number(key string, value int64) {
	if value != 0 {
		*l = append(*l, slog.Int64(key, value))
	}
}

// duration is a text with its unit: a handler for JSON writes the bare number of
// nanoseconds otherwise.
func (l *logLine) duration(key string, value time.Duration) {
	if value != 0 {
		*l = append(*l, slog.String(key, readable(value).String()))
	}
}

func (l *logLine) outcome(seen Observation) {
	l.number("status", int64(seen.Status))
	l.duration("duration", seen.Duration)
	if seen.Err != nil {
		l.text("error", oneLine(seen.Err.Error()))
	}
}

func (l *logLine) waits(seen Observation) {
	l.duration("waited_for_token", seen.Waits.Token)
	l.duration("waited_for_rate_limit", seen.Waits.RateLimit)
	l.duration("waited_for_retry", seen.Waits.Retry)
}

func (l *logLine) origin(seen Observation) {
	l.text("method", seen.Method)
	if seen.Storage || seen.Token {
		l.text("server", seen.Server)
	}
	l.text("path", seen.Path)
	l.text("request_id", seen.RequestID)
}

// readable keeps three digits of a duration.
func readable(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit)
}
