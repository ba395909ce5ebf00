package redis_test

import (
	"context"
	"flag"
	"net"
	"os/exec"
	"strconv"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	flag.Parse()
	_ = flag.Set("test.parallel", "16") // the tests mostly wait for time to pass
	goredis.SetLogger(silence{})
	// A go-redis client that was closed while its server was down tries once
	// more a second later.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/redis/go-redis/v9/internal/pool.(*ConnPool).tryDial"))
}

// silence discards the messages of go-redis about servers that the tests have
// killed.
type silence struct{}

func (silence) Printf(context.Context, string, ...any) {}

// server is a real Redis server of one test, on loopback.
type server struct {
	program, dir, port string
	arguments          []string
	process            *exec.Cmd
}

// startServer starts a server whose acknowledged data survive a kill: written
// data survive the process without an fsync, which may be slow.
func startServer(t *testing.T, arguments ...string) *server {
	t.Helper()
	program, err := exec.LookPath("redis-server")
	require.NoError(t, err, "apt-get install redis-server")
	s := &server{program: program, dir: t.TempDir(), arguments: arguments}
	for range 5 { // another program may take the port first
		s.port = freePort(t)
		if s.start(t) {
			t.Cleanup(s.kill)
			return s
		}
	}
	t.Fatal("redis-server does not start")
	return nil
}

func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	require.NoError(t, err)
	return port
}

// start returns false if the server does not respond.
func (s *server) start(t *testing.T) bool {
	t.Helper()
	s.process = exec.Command(s.program, append([]string{"--port", s.port, "--bind", "127.0.0.1", "--dir", s.dir, "--save", "",
		"--appendonly", "yes", "--appendfsync", "no", "--daemonize", "no"}, s.arguments...)...)
	require.NoError(t, s.process.Start())
	client := goredis.NewClient(&goredis.Options{Addr: s.address(), MaxRetries: -1})
	defer client.Close()
	for range 6000 {
		if info, err := client.InfoMap(context.Background(), "server").Result(); err == nil {
			if info["Server"]["process_id"] == strconv.Itoa(s.process.Process.Pid) {
				return true
			}
			break // the server of another test has taken the port first
		}
		<-time.After(10 * time.Millisecond)
	}
	s.kill()
	return false
}

// kill ends the server like a crash.
func (s *server) kill() {
	_ = s.process.Process.Kill()
	_ = s.process.Wait()
}

func (s *server) address() string { return "127.0.0.1:" + s.port }

// client returns a new client, as each process has its own.
func (s *server) client(t *testing.T) *goredis.Client {
	t.Helper()
	client := goredis.NewClient(&goredis.Options{
		Addr: s.address(), ContextTimeoutEnabled: true, DialTimeout: time.Minute, DialerRetries: 1, MaxRetries: 1,
		ReadTimeout: time.Minute, WriteTimeout: time.Minute, PoolTimeout: time.Minute,
	})
	t.Cleanup(func() { _ = client.Close() })
	return client
}
