package nats_test

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	natsgo "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/adapters/nats"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/webhook"
)

var (
	kills    = flag.Int("kills", soak.Times(3, 30), "how often the crash test kills a process")
	childDir = flag.String("child", "", "directory of a process that the crash test kills")
	first    = flag.Int("first", 0, "number of the first message of that process; 0 for one that dies of a message")
)

const lease = time.Second

// child is the process that is killed. It prints the numbers of the
// acknowledged messages.
func child() {
	engine, err := nats.Open(context.Background(), *childDir, nats.Patient(), nats.WithLease(lease))
	if err != nil {
		panic(err)
	}
	if *first == 0 {
		die(engine.Queue())
	}
	handled, err := os.OpenFile(effects(*childDir), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	var all sync.WaitGroup
	for worker := range 2 {
		all.Go(func() { putAll(engine.Queue(), *first+worker) })
		all.Go(func() { handleAll(engine.Queue(), handled) })
	}
	all.Wait()
}

// die exits while it handles a message, and late enough for the server to have
// stored the delivery.
func die(queue *nats.Queue) {
	job, err := queue.Take(context.Background())
	if err != nil {
		panic(err)
	}
	<-time.After(lease / 2)
	fmt.Fprintln(os.Stdout, job.Lapsed()+1)
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Kill()
	}
	select {}
}

func putAll(queue *nats.Queue, number int) {
	for ; ; number += 2 {
		if err := queue.Put(context.Background(), numbered(number)); err != nil {
			panic(err)
		}
		fmt.Fprintln(os.Stdout, number)
	}
}

func numbered(number int) webhook.Message {
	return webhook.Message{
		Identity: strconv.Itoa(number), Record: strconv.Itoa(number % 10), Received: time.Now(), Body: []byte(`{"type":"n"}`),
	}
}

func handleAll(queue *nats.Queue, to *os.File) {
	for {
		_ = handle(context.Background(), queue, to)
	}
}

// handle writes the number of the next message to a file. On a slow machine the
// lease may expire first, and then the message is delivered again.
func handle(ctx context.Context, queue *nats.Queue, to *os.File) error {
	job, err := queue.Take(ctx)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(to, job.Message().Identity); err != nil {
		return err
	}
	_ = job.Done(ctx)
	return nil
}

func effects(dir string) string { return filepath.Join(dir, "effects") }

// runChild runs the test program as a child, passes it to the function, and
// returns the lines that it wrote before it ended.
func runChild(t *testing.T, dir string, first int, meanwhile func(*exec.Cmd)) []string {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	process := exec.Command(program, "-child", dir, "-first", strconv.Itoa(first))
	var trouble strings.Builder
	process.Stderr = &trouble
	output, err := process.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, process.Start())
	scanner := bufio.NewScanner(output)
	require.True(t, scanner.Scan(), "no output: %s", &trouble)
	lines := []string{scanner.Text()}
	var killing sync.WaitGroup
	killing.Go(func() { meanwhile(process) })
	for scanner.Scan() {
		lines = append(lines, scanner.Text())
	}
	killing.Wait()
	var exit *exec.ExitError
	require.ErrorAs(t, process.Wait(), &exit, "it should not end by itself")
	assert.Empty(t, trouble.String())
	return lines
}

func TestWhatWasAcknowledgedIsHandledAlthoughTheProcessIsKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	acknowledged := map[string]bool{}
	for round := range *kills {
		lines := runChild(t, dir, 1+round*1_000_000, func(process *exec.Cmd) {
			<-time.After(rand.N(300 * time.Millisecond))
			_ = process.Process.Kill()
		})
		for _, number := range lines {
			acknowledged[number] = true
		}
	}
	handled, err := os.OpenFile(effects(dir), os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o600)
	require.NoError(t, err)
	defer handled.Close()
	engine := open(t, dir, nats.WithLease(lease))
	for {
		left, err := engine.Queue().Len(t.Context())
		require.NoError(t, err)
		if left == 0 {
			break
		}
		ctx, cancel := context.WithTimeout(t.Context(), patient)
		require.NoError(t, handle(ctx, engine.Queue(), handled))
		cancel()
	}
	_, err = handled.Seek(0, 0)
	require.NoError(t, err)
	times := 0
	for lines := bufio.NewScanner(handled); lines.Scan(); times++ {
		delete(acknowledged, lines.Text())
	}
	assert.Empty(t, acknowledged, "lost")
	for number := range 10 {
		require.NoError(t, engine.Queue().Put(t.Context(), numbered(number)))
		require.NoError(t, take(t, engine.Queue()).Done(t.Context()), "what was done holds back nothing")
	}
	t.Logf("%d messages were handled in spite of %d kills", times, *kills)
}

// A kill between the acknowledgement of a message and its removal leaves the
// message in the stream. Moving the position of the consumer has the same
// effect.
func TestAMessageThatWasDoneAndNotRemovedIsSwept(t *testing.T) {
	t.Parallel()
	server := startServer(t)
	queue := open(t, "", on(server), nats.WithName("swept")).Queue()
	for number := range 3 {
		require.NoError(t, queue.Put(t.Context(), unordered(number)))
	}
	forget(t, server, "swept-work", 3)
	last := take(t, queue)
	require.Equal(t, "2", last.Message().Identity)
	require.NoError(t, queue.Sweep(t.Context()))
	length, err := queue.Len(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 1, length)
	require.NoError(t, last.Done(t.Context()))
}

// unordered returns a message without a record.
func unordered(number int) webhook.Message {
	m := numbered(number)
	m.Record = ""
	return m
}

// forget moves the consumer of a stream to a position. Messages before it count
// as acknowledged, but remain.
func forget(t *testing.T, server *natsServer, stream string, place uint64) {
	t.Helper()
	conn, err := natsgo.Connect(server.ClientURL(), natsgo.Timeout(patient))
	require.NoError(t, err)
	defer conn.Close()
	js, err := jetstream.New(conn)
	require.NoError(t, err)
	_, err = js.ResetConsumerToSequence(t.Context(), stream, "workers", place)
	require.NoError(t, err)
}

func TestAMessageThatKillsTheProcessIsCounted(t *testing.T) {
	soak.Only(t, "the server writes down what it gave out a while later")
	t.Parallel()
	dir := t.TempDir()
	engine := openToEnd(t, dir, nats.WithLease(lease))
	require.NoError(t, engine.Queue().Put(t.Context(), numbered(1)))
	require.NoError(t, closeNow(engine))
	for attempt := 1; attempt <= 3; attempt++ {
		lines := runChild(t, dir, 0, func(*exec.Cmd) {})
		assert.Equal(t, []string{strconv.Itoa(attempt)}, lines)
	}
}
