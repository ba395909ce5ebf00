package nats_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	natsgo "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/adapters/internal/sharetest"
	"github.com/practicesdk/practice-go/adapters/nats"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/webhook"
)

var (
	leaderStops = flag.Int("leader-stops", 1, "how often the cluster test stops the leader of the queue, every other time by SIGTERM")
	config      = flag.String("serve", "", "configuration of a server that the cluster test stops")
	oldest      = flag.String("oldest", "", "program of the oldest server that is supported")
)

// serve runs a server in a child process.
func serve() {
	options, err := server.ProcessConfigFile(*config)
	if err != nil {
		panic(err)
	}
	s, err := server.NewServer(options)
	if err != nil {
		panic(err)
	}
	s.Start()
	s.WaitForShutdown()
}

// member is a server of a cluster in a separate process.
type member struct {
	name, config, url string
	program           string // empty for the program of the test
	process           *exec.Cmd
}

// start starts the server of the required module, or another program.
func (m *member) start(t *testing.T) {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	arguments := []string{"-serve", m.config}
	if m.program != "" {
		program, arguments = m.program, []string{"-c", m.config}
	}
	m.process = exec.Command(program, arguments...)
	require.NoError(t, m.process.Start())
}

// startMember starts a server outside of a cluster.
func startMember(t *testing.T, program string) *member {
	t.Helper()
	dir, port := t.TempDir(), freePorts(t, 1)[0]
	m := &member{program: program, config: filepath.Join(dir, "conf"), url: fmt.Sprintf("nats://127.0.0.1:%d", port)}
	text := fmt.Sprintf("listen: \"127.0.0.1:%d\"\njetstream { store_dir: %q, sync_interval: always }\n", port, dir)
	require.NoError(t, os.WriteFile(m.config, []byte(text), 0o600))
	m.start(t)
	t.Cleanup(func() { m.stop(syscall.SIGKILL) })
	return m
}

func (m *member) stop(signal os.Signal) {
	_ = m.process.Process.Signal(signal)
	_ = m.process.Wait()
}

// startMembers starts a cluster of three processes.
func startMembers(t *testing.T) map[string]*member {
	t.Helper()
	dir, ports, all := t.TempDir(), freePorts(t, 6), map[string]*member{}
	routes := fmt.Sprintf("nats://127.0.0.1:%d, nats://127.0.0.1:%d, nats://127.0.0.1:%d", ports[3], ports[4], ports[5])
	for i := range 3 {
		name := fmt.Sprintf("s%d", i)
		m := &member{name: name, config: filepath.Join(dir, name+".conf"), url: fmt.Sprintf("nats://127.0.0.1:%d", ports[i])}
		text := fmt.Sprintf("server_name: %s\nlisten: \"127.0.0.1:%d\"\njetstream { store_dir: %q, sync_interval: always }\n"+
			"cluster { name: c, listen: \"127.0.0.1:%d\", routes: [%s] }\n", name, ports[i], filepath.Join(dir, name), ports[3+i], routes)
		require.NoError(t, os.WriteFile(m.config, []byte(text), 0o600))
		m.start(t)
		t.Cleanup(func() { m.stop(syscall.SIGKILL) })
		all[name] = m
	}
	return all
}

// leaderOf returns the name of the server that is the leader of the queue's
// stream.
func leaderOf(t *testing.T, js jetstream.JetStream) (leader string) {
	t.Helper()
	require.Eventually(t, func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		stream, err := js.Stream(ctx, nats.DefaultName+"-work")
		if err == nil && stream.CachedInfo().Cluster != nil {
			leader = stream.CachedInfo().Cluster.Leader
		}
		return leader != ""
	}, time.Minute, 50*time.Millisecond)
	return leader
}

// progress records the handled events and their times.
type progress struct {
	mu      sync.Mutex
	effects map[string]int // by identity
	takes   time.Duration  // a handler
	last    time.Time
	longest time.Duration // without an effect

	accepted, refused atomic.Int64 // responses
	failures          atomic.Int64 // that the receivers reported
}

func (p *progress) handle(_ context.Context, e *webhook.Event[json.RawMessage]) error {
	<-time.After(p.takes)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.effects[e.Identity()]++
	now := time.Now()
	p.longest, p.last = max(p.longest, now.Sub(p.last)), now
	return nil
}

func (p *progress) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.effects)
}

// The load of 60 events a second is a third of what the receivers can handle,
// so that the test measures the outage and what remains after it.
const (
	loadSenders = 12
	loadRecords = 17 // of each
	loadPause   = 200 * time.Millisecond
	loadTail    = 20 * time.Second // after the last stop

	// ownShare limits the time that the receivers need after all leaders are
	// back. A call to a store that began just before may wait for its whole
	// limit, and the message or the worker then waits for a second. A server
	// starts an election at random within 4 to 9 seconds, and again after a
	// split vote.
	ownShare = webhook.DefaultStoreTimeout + time.Second
)

// load sends events to the receivers until ctx ends.
func (p *progress) load(ctx context.Context, t *testing.T, receivers []*webhook.Receiver) {
	signer, err := webhook.NewSigner(sharetest.ClientID, sharetest.Key)
	require.NoError(t, err)
	var all sync.WaitGroup
	for sender := range loadSenders {
		all.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				id := map[string]string{"id": fmt.Sprintf("%d-%d", sender, n%loadRecords), "number": fmt.Sprint(n)}
				req, err := signer.NewRequest(context.Background(), "/hooks", "matter.updated", id)
				if !assert.NoError(t, err) {
					return
				}
				p.deliver(t, receivers[n%len(receivers)], signer, req)
				<-time.After(loadPause)
			}
		})
	}
	all.Wait()
}

// deliver sends an event until it is accepted. The event is the same each time,
// because a refused one may have been stored.
func (p *progress) deliver(t *testing.T, receiver http.Handler, signer *webhook.Signer, req *http.Request) {
	for {
		var err error
		req.Body, err = req.GetBody()
		if !assert.NoError(t, err) {
			return
		}
		w := httptest.NewRecorder()
		receiver.ServeHTTP(w, req)
		if w.Code == http.StatusOK {
			p.accepted.Add(1)
			return
		}
		p.refused.Add(1)
		if !assert.NoError(t, signer.Sign(req.Header, time.Now(), rand.Text())) {
			return
		}
	}
}

// No server responds while a cluster elects its leader. A worker that waits too
// long for a lost response would still wait when there is a leader.
func TestATakeFromAServerThatHangsEndsSoon(t *testing.T) {
	t.Parallel()
	m := startMember(t, "")
	var engine *nats.Engine
	require.Eventually(t, func() bool {
		var err error
		engine, err = nats.Open(t.Context(), "", nats.WithServers(m.url))
		return err == nil
	}, patient, 50*time.Millisecond)
	t.Cleanup(func() { endNow(engine) })
	taken := make(chan time.Duration, 2)
	go func() {
		for range 2 {
			began := time.Now()
			_, err := engine.Queue().Take(t.Context())
			assert.Error(t, err)
			taken <- time.Since(began)
		}
	}()
	<-time.After(500 * time.Millisecond) // until it waits for a message
	require.NoError(t, m.process.Process.Signal(syscall.SIGSTOP))
	const fraction = 25 * time.Second // maximum duration of a pending request for a message
	assert.Less(t, <-taken, fraction, "it waited for messages")
	assert.Less(t, <-taken, fraction, "and it asked for the consumer")
}

// A server that stops was the leader of some streams, and its pending requests
// are lost.
func TestNothingStandsStillWhileAClusterLosesItsLeader(t *testing.T) {
	soak.Only(t, "it measures how long nothing happens")
	var anyOrder, inOrder int
	t.Run("in any order", func(t *testing.T) { anyOrder = loseLeaders(t) })
	t.Run("in the order of records", func(t *testing.T) { inOrder = loseLeaders(t, webhook.WithSerialRecords()) })
	const second = loadSenders * int(time.Second/loadPause) // all deliveries in flight at one moment
	if assert.LessOrEqual(t, inOrder, max(anyOrder, second), "the order costs no backlog") {
		t.Logf("left at the end of the load: %d in any order, %d in the order of records", anyOrder, inOrder)
	}
}

// loseLeaders stops leaders under load, and returns how many events were left
// when the load ended.
func loseLeaders(t *testing.T, options ...webhook.Option) (left int) {
	members, p := startMembers(t), &progress{effects: map[string]int{}, takes: 5 * time.Millisecond}
	var urls []string
	for _, m := range members {
		urls = append(urls, m.url)
	}
	var receivers []*webhook.Receiver
	for range 2 {
		receiver := newReceiver(t, openServers(t, urls), append(options, webhook.WithWorkers(8),
			webhook.WithErrorHook(func(context.Context, *webhook.DeliveryError) { p.failures.Add(1) }))...)
		webhook.OnAny(receiver, p.handle)
		receivers = append(receivers, receiver)
	}
	connection, err := natsgo.Connect(strings.Join(urls, ","), natsgo.MaxReconnects(-1), natsgo.ReconnectWait(50*time.Millisecond))
	require.NoError(t, err)
	defer connection.Close()
	js, err := jetstream.New(connection)
	require.NoError(t, err)

	ctx, end := context.WithCancel(t.Context())
	defer end()
	var loading sync.WaitGroup
	leaders := watchLeaders(ctx, t, js, &loading)
	p.last = time.Now()
	loading.Go(func() { p.load(ctx, t, receivers) })
	for stop := range *leaderStops {
		if stop > 0 {
			<-time.After(5 * time.Second) // until the previously stopped server has caught up
		}
		<-time.After(time.Second)
		signal := []os.Signal{syscall.SIGKILL, syscall.SIGTERM}[stop%2]
		leader := members[leaderOf(t, js)]
		leader.stop(signal)
		<-time.After(5 * time.Second)
		leader.start(t)
		<-time.After(3 * time.Second)
	}
	if *leaderStops > 1 {
		<-time.After(loadTail)
	}
	end()
	loading.Wait()
	ended := time.Now()
	left = int(p.accepted.Load()) - p.count()
	require.Eventually(t, func() bool { return int64(p.count()) >= p.accepted.Load() }, 30*time.Second, 10*time.Millisecond,
		"something that was acknowledged is lost")
	drained := time.Since(ended)

	answers := p.accepted.Load() + p.refused.Load()
	t.Logf("%d stops, %d answers, %d of them 503, %d failures of stores, longest time without an effect %v, without a leader %v, %d left, drained in %v",
		*leaderStops, answers, p.refused.Load(), p.failures.Load(), p.longest.Round(time.Millisecond), leaders.longest(), left, drained.Round(time.Millisecond))
	// A single stop is tested in parallel with other tests, so elections are
	// slow. A worker that waits for a lost response would hang for a minute.
	longest, drain, refused := 30*time.Second, 15*time.Second, refusedWhileAway(p.longest)
	if *leaderStops > 1 {
		longest, drain, refused = leaders.longest()+ownShare, 5*time.Second, 0.005*float64(answers)
	}
	assert.Less(t, p.longest, longest)
	assert.Less(t, drained, drain)
	assert.LessOrEqual(t, float64(p.refused.Load()), refused)
	for id, times := range p.effects {
		assert.Equal(t, 1, times, id)
	}
	return left
}

// refusedWhileAway returns how many events may be refused while they could not
// be stored: one per sender for each deadline of a delivery. A cluster may need
// 9 s to elect a leader.
func refusedWhileAway(away time.Duration) float64 {
	deadlines := (away + time.Second) / webhook.DefaultDeadline
	return float64(loadSenders * deadlines)
}
