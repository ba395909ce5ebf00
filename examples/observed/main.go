// Observed shows what can be seen of a program at work: the lines of the log,
// the spans of each call with its attempts, and the metrics.
//
//	go run ./examples/observed
//
// Without any variable it starts the embedded service, and makes things go
// wrong there: answers of 503, a rate limit, a download that breaks off. With
// PRACTICE_BASE_URL and the other variables of docs/getting-started.md it reads
// from that service, the matter of PRACTICE_MATTER_ID, and writes nothing to
// it.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"log/slog"
	"os"
	"strings"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/adapters/otel"
	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/examples/internal/setup"
	"github.com/practicesdk/practice-go/examples/internal/term"
)

func main() {
	os.Exit(program.Run("observed", usage, os.Stdout, os.Stderr, func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Getenv)
	}))
}

const usage = `usage: observed
  PRACTICE_BASE_URL and the other variables name a service; else it starts one
`

// observed is the program. In place of the memory a real one has an exporter of
// OpenTelemetry, which sends spans and metrics to a collector.
type observed struct {
	*term.Printer
	*setup.Service
	telemetry *otel.Telemetry
	spans     *tracetest.InMemoryExporter
	metrics   *metric.ManualReader
	log       bytes.Buffer
}

func run(ctx context.Context, args []string, stdout io.Writer, env func(string) string) (err error) {
	if err := program.Parse(flag.NewFlagSet("observed", flag.ContinueOnError), args, 0); err != nil {
		return err
	}
	o := &observed{
		Printer: term.New(stdout, env), spans: tracetest.NewInMemoryExporter(), metrics: metric.NewManualReader(),
	}
	tracers := trace.NewTracerProvider(trace.WithSyncer(o.spans))
	meters := metric.NewMeterProvider(metric.WithReader(o.metrics))
	defer func() {
		err = errors.Join(err, tracers.Shutdown(context.WithoutCancel(ctx)), meters.Shutdown(context.WithoutCancel(ctx)))
	}()
	o.telemetry, err = otel.New(
		otel.WithTracerProvider(tracers), otel.WithMeterProvider(meters), otel.WithPropagator(propagation.TraceContext{}))
	if err != nil {
		return err
	}
	o.Service, err = setup.Open(env, setup.Options{Program: "practice-observed", Client: []practice.ClientOption{
		practice.WithTracer(o.telemetry), practice.WithLogger(o.logger()),
	}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.Close()) }()
	if err := o.work(ctx); err != nil {
		return err
	}
	return o.show(ctx)
}

// logger leaves the time out, so that the lines are short enough to be read.
func (o *observed) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(&o.log, &slog.HandlerOptions{
		Level: slog.LevelDebug,
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	}))
}

func (o *observed) show(ctx context.Context) error {
	o.Heading("The log, at debug level")
	for line := range strings.Lines(o.log.String()) {
		o.Line("%s", strings.TrimSuffix(line, "\n"))
	}
	o.Heading("The spans")
	o.trees()
	o.Heading("The metrics")
	if err := o.table(ctx); err != nil {
		return err
	}
	return o.Err()
}
