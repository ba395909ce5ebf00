package nats_test

import (
	"context"
	"crypto/rand"
	"flag"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	natsgo "github.com/nats-io/nats.go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/adapters/internal/ports"
	"github.com/practicesdk/practice-go/adapters/nats"
)

func TestMain(m *testing.M) {
	flag.Parse()
	switch {
	case *childDir != "":
		child()
		return
	case *config != "":
		serve()
		return
	case *pausedAt != "":
		pausing()
		return
	}
	_ = flag.Set("test.parallel", "16") // the tests mostly wait for time to pass
	goleak.VerifyTestMain(m)
}

// natsServer is a separate NATS server on loopback. It does not wait for the
// disk.
type natsServer struct {
	*server.Server
	options server.Options
	address string // address of a server in another process, for which server is nil
}

// ClientURL returns the address for clients.
func (s *natsServer) ClientURL() string {
	if s.Server == nil {
		return s.address
	}
	return s.Server.ClientURL()
}

// startServer starts a server. Another program may have taken its port since
// that was found free, so startServer then tries other ports.
func startServer(t *testing.T) *natsServer {
	t.Helper()
	var reason string
	for range 3 {
		s := &natsServer{options: server.Options{
			Host: "127.0.0.1", Port: ports.Free(t), NoLog: true, NoSigs: true, JetStream: true, StoreDir: t.TempDir(),
		}}
		reason = s.tryStart(t)
		t.Cleanup(s.stop)
		if reason == "" {
			return s
		}
	}
	require.Empty(t, reason)
	return nil
}

// start starts the server, again at its port.
func (s *natsServer) start(t *testing.T) {
	t.Helper()
	require.Empty(t, s.tryStart(t))
}

// tryStart returns why the server did not start, or "".
func (s *natsServer) tryStart(t *testing.T) (reason string) {
	t.Helper()
	options, failures := s.options, &failures{}
	var err error
	s.Server, err = server.NewServer(&options)
	require.NoError(t, err)
	s.SetLogger(failures, false, false)
	s.Start()
	for deadline := time.Now().Add(patient); time.Now().Before(deadline); {
		if s.ReadyForConnections(100 * time.Millisecond) {
			return ""
		}
		if reason := failures.text(); reason != "" {
			return reason
		}
	}
	return "the server is not ready after " + patient.String()
}

// failures records the fatal errors of a server.
type failures struct {
	mu  sync.Mutex
	all []string
}

func (f *failures) Fatalf(format string, values ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = append(f.all, fmt.Sprintf(format, values...))
}

func (f *failures) text() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return strings.Join(f.all, "; ")
}

func (*failures) Errorf(string, ...any)  {}
func (*failures) Warnf(string, ...any)   {}
func (*failures) Noticef(string, ...any) {}
func (*failures) Debugf(string, ...any)  {}
func (*failures) Tracef(string, ...any)  {}

func (s *natsServer) stop() {
	s.Shutdown()
	s.WaitForShutdown()
}

// patient limits the wait for events that are immediate on an idle machine.
const patient = 2 * time.Minute

// on returns an option that uses a server.
func on(s *natsServer, options ...natsgo.Option) nats.Option {
	return nats.WithServers(s.ClientURL(), append([]natsgo.Option{natsgo.Timeout(patient)}, options...)...)
}

// open opens an engine that the test closes.
func open(t *testing.T, dir string, options ...nats.Option) *nats.Engine {
	t.Helper()
	engine, err := nats.Open(t.Context(), dir, append([]nats.Option{nats.Patient()}, options...)...)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, closeNow(engine)) })
	return engine
}

// openToEnd opens an engine that may end without Close.
func openToEnd(t *testing.T, dir string, options ...nats.Option) *nats.Engine {
	t.Helper()
	engine, err := nats.Open(t.Context(), dir, append([]nats.Option{nats.Patient()}, options...)...)
	require.NoError(t, err)
	t.Cleanup(func() { endNow(engine) })
	return engine
}

// endNow closes an engine without waiting for workers.
func endNow(engine *nats.Engine) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_ = engine.Close(ctx)
}

func closeNow(engine *nats.Engine) error {
	ctx, cancel := context.WithTimeout(context.Background(), patient)
	defer cancel()
	return engine.Close(ctx)
}

// uniqueName returns a name that separates tests that share a server.
func uniqueName() string { return rand.Text() }
