package nats_test

import (
	"context"
	"crypto/rand"
	"flag"
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

func startServer(t *testing.T) *natsServer {
	t.Helper()
	s := &natsServer{options: server.Options{
		Host: "127.0.0.1", Port: ports.Free(t), NoLog: true, NoSigs: true, JetStream: true, StoreDir: t.TempDir(),
	}}
	s.start(t)
	t.Cleanup(s.stop)
	return s
}

func (s *natsServer) start(t *testing.T) {
	t.Helper()
	options := s.options
	var err error
	s.Server, err = server.NewServer(&options)
	require.NoError(t, err)
	s.Start()
	require.True(t, s.ReadyForConnections(patient))
}

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
