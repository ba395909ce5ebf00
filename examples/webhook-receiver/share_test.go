package main

import (
	"context"
	"flag"
	"math/rand/v2"
	"net"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/soak"
)

var events = flag.Int("events", soak.Times(300, 2000), "events that two instances share")

// startNATS starts a NATS server that stands elsewhere. It syncs its disk now
// and then, as servers of a cluster do.
func startNATS(t *testing.T) string {
	t.Helper()
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true, JetStream: true, StoreDir: t.TempDir(),
	})
	require.NoError(t, err)
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	require.True(t, s.ReadyForConnections(time.Minute))
	return s.ClientURL()
}

// startRedis starts a Redis server.
func startRedis(t *testing.T) string {
	t.Helper()
	program, err := exec.LookPath("redis-server")
	require.NoError(t, err, "apt-get install redis-server")
	for range 5 { // somebody else may take the port first
		if address, ok := tryRedis(t, program); ok {
			return "redis://" + address
		}
	}
	t.Fatal("redis-server does not start")
	return ""
}

func tryRedis(t *testing.T, program string) (address string, ok bool) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address = listener.Addr().String()
	_, port, err := net.SplitHostPort(address)
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	process := exec.Command(program, "--port", port, "--bind", "127.0.0.1", "--dir", t.TempDir(), "--save", "", "--appendonly", "yes")
	require.NoError(t, process.Start())
	client := goredis.NewClient(&goredis.Options{Addr: address, MaxRetries: -1})
	defer client.Close()
	for range 6000 {
		if info, err := client.InfoMap(context.Background(), "server").Result(); err == nil {
			if info["Server"]["process_id"] != strconv.Itoa(process.Process.Pid) {
				break // the server of another test has taken the port first
			}
			t.Cleanup(func() {
				_ = process.Process.Kill()
				_ = process.Wait()
			})
			return address, true
		}
		<-time.After(10 * time.Millisecond)
	}
	_ = process.Process.Kill()
	_ = process.Wait()
	return "", false
}

func TestTwoInstancesShareTheWork(t *testing.T) {
	t.Parallel()
	t.Run("with NATS", func(t *testing.T) {
		t.Parallel()
		share(t, "-nats", startNATS(t))
	})
	t.Run("with NATS for the queue and Redis for the events", func(t *testing.T) {
		t.Parallel()
		share(t, "-redis", startRedis(t), "-nats", startNATS(t))
	})
}

// share has two instances handle the events, a fifth of them twice and all in
// random order.
func share(t *testing.T, args ...string) {
	w := newWorld(t)
	var processes []*process
	var addresses []string
	for range 2 {
		p := w.launch(t, args...)
		processes, addresses = append(processes, p), append(addresses, p.address(t))
	}
	order := rand.Perm(*events)
	for range *events / 5 {
		order = append(order, rand.IntN(*events))
	}
	rand.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	began := time.Now()
	var next atomic.Int64
	work(func() {
		for i := int(next.Add(1)) - 1; i < len(order); i = int(next.Add(1)) - 1 {
			if !w.deliver(t, addresses[rand.IntN(2)], order[i]) {
				return
			}
		}
	})
	db := w.open(t)
	w.await(t, db, *events)
	took, count := time.Since(began), *events
	for ; count < *events+patience && !atWork(t, db, processes); count++ { // one may have come late
		require.True(t, w.deliver(t, addresses[0], count))
		w.await(t, db, count+1)
	}
	for _, p := range processes {
		p.interrupt(t)
	}
	shares := w.check(t, db, count)
	least := soak.Times(1, *events/50) // nobody promises halves: on a busy machine one process may get little time
	for _, p := range processes {
		assert.GreaterOrEqual(t, shares[p.Process.Pid], least, "the work is shared")
	}
	t.Logf("%d deliveries of %d events took effect in %v, shared %v", len(order), *events, took.Round(time.Millisecond), shares)
	for _, p := range processes { // on a busy machine a lease may end too early; the database holds it off
		for line := range strings.Lines(p.said()) {
			if strings.Contains(line, "held off") || strings.Contains(line, "webhook: ") {
				t.Log(strings.TrimSpace(line))
			}
		}
	}
}

// atWork reports whether each process has handled an event.
func atWork(t *testing.T, db *copied, processes []*process) bool {
	t.Helper()
	for _, p := range processes {
		var handled int
		row := db.QueryRowContext(t.Context(), `SELECT count(*) FROM events WHERE process = ?`, p.Process.Pid)
		require.NoError(t, row.Scan(&handled))
		if handled == 0 {
			return false
		}
	}
	return true
}
