package nats_test

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/adapters/internal/sharetest"
	"github.com/practicesdk/practice-go/adapters/nats"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/webhook"
)

var (
	pauses     = flag.Int("pauses", soak.Times(1, 100), "how often a process is stopped for longer than its lease at each place")
	pausedAt   = flag.String("pausedAt", "", "place at which a process is stopped, which writes there what it does")
	pausedName = flag.String("pausedName", "", "name of its queue")
	pausedURL  = flag.String("pausedURL", "", "server of that process")
)

// slowly is a Deduplicator that is called between the reading of a message and
// its handlers.
type slowly struct{ webhook.Deduplicator }

func (slowly) Claim(context.Context, string, string, time.Duration) (webhook.Claim, error) {
	fmt.Fprintln(os.Stdout, "read")
	<-time.After(lease / 3)
	return webhook.ClaimNew, nil
}
func (slowly) Commit(context.Context, string) error          { return nil }
func (slowly) Release(context.Context, string, string) error { return nil }

// pausing is the process that is suspended.
func pausing() {
	engine, err := nats.Open(context.Background(), "", nats.WithServers(*pausedURL), nats.WithName(*pausedName), nats.WithLease(lease))
	if err != nil {
		panic(err)
	}
	options := []webhook.Option{webhook.WithQueue(engine.Queue()), webhook.WithWorkers(1), webhook.WithSerialRecords()}
	if *pausedAt == "read" {
		options = append(options, webhook.WithDeduplicator(slowly{}))
	}
	receiver, err := webhook.NewReceiver(sharetest.ClientID, webhook.Keys(sharetest.Key), options...)
	if err != nil {
		panic(err)
	}
	webhook.OnAny(receiver, func(ctx context.Context, _ *webhook.Event[json.RawMessage]) error {
		fmt.Fprintln(os.Stdout, "begun", time.Now().UnixNano())
		<-ctx.Done()
		return ctx.Err()
	})
	go func() {
		<-time.After(lease / 4) // until the worker waits
		fmt.Fprintln(os.Stdout, "waiting")
	}()
	_ = receiver.Run(context.Background())
}

// A process that is suspended for twice its lease begins no message of that
// lease.
func TestAProcessThatWasStoppedBeginsNoMessageAfterItsLease(t *testing.T) {
	soak.Only(t, "processes are stopped for longer than a lease")
	t.Parallel()
	server := startServer(t)
	places := make(chan struct{}, 8)
	var all sync.WaitGroup
	for range *pauses {
		for _, place := range []string{"waiting", "read", "begun"} {
			places <- struct{}{}
			all.Go(func() {
				defer func() { <-places }()
				pauseAt(t, server, place)
			})
		}
	}
	all.Wait()
}

func pauseAt(t *testing.T, server *natsServer, place string) {
	name := uniqueName()
	other := openToEnd(t, "", on(server), nats.WithName(name), nats.WithLease(lease))
	defer endNow(other)
	program, err := os.Executable()
	if !assert.NoError(t, err) {
		return
	}
	process := exec.Command(program, "-pausedAt", place, "-pausedName", name, "-pausedURL", server.ClientURL())
	output, err := process.StdoutPipe()
	if !assert.NoError(t, err) || !assert.NoError(t, process.Start()) {
		return
	}
	lines := bufio.NewScanner(output)
	until := func(what string) bool {
		for lines.Scan() {
			if strings.HasPrefix(lines.Text(), what) {
				return true
			}
		}
		return false
	}
	assert.True(t, until("waiting"))
	put := func() {
		m := numbered(1)
		m.Body = []byte(`{"accountId":"a","type":"matter.updated","timestamp":1,"payload":{"id":"1"}}`)
		assert.NoError(t, other.Queue().Put(t.Context(), m))
	}
	if place != "waiting" {
		put()
		assert.True(t, until(place))
	}
	assert.NoError(t, process.Process.Signal(syscall.SIGSTOP))
	if place == "waiting" {
		put()
	}
	<-time.After(2 * lease)
	ctx, cancel := context.WithTimeout(t.Context(), patient)
	defer cancel()
	job, err := other.Queue().Take(ctx)
	if !assert.NoError(t, err) {
		return
	}
	resumed := time.Now()
	assert.NoError(t, process.Process.Signal(syscall.SIGCONT))
	time.AfterFunc(lease, func() { _ = process.Process.Kill() })
	stop := make(chan struct{})
	var extending sync.WaitGroup
	extending.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(lease / 8):
				_ = job.Extend(ctx)
			}
		}
	})
	defer func() { close(stop); extending.Wait() }()
	begun := 0
	for lines.Scan() {
		var at int64
		if n, _ := fmt.Sscanf(lines.Text(), "begun %d", &at); n == 1 && time.Unix(0, at).After(resumed) {
			begun++
		}
	}
	_ = process.Wait()
	assert.Zero(t, begun, "%s: a message was begun beside its new owner", place)
}
