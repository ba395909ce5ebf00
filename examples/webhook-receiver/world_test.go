package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/webhook"
)

const (
	began    models.Ticks = 638_912_345_678_901_234
	patience              = 3000 // looks without any progress; not a time, because a machine may stand still
	senders               = 8
	stop                  = syscall.SIGTERM
	callback              = "https://hooks.example.test/hooks" // nothing is sent there: the tests are the service
)

// world is a service that stays while processes of the program come and go.
type world struct {
	service *practicetest.Server
	signer  *webhook.Signer
	client  *http.Client
	dir     string
	env     []string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	service, err := practicetest.Start(practicetest.WithStrict(true))
	require.NoError(t, err)
	key := uuid.NewString()
	signer, err := webhook.NewSigner(service.Credentials().ClientID, key)
	require.NoError(t, err)
	w := &world{service: service, signer: signer, dir: t.TempDir(), client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: senders}}}
	t.Cleanup(func() {
		w.client.CloseIdleConnections()
		assert.Empty(t, service.Violations())
		require.NoError(t, service.Close())
	})
	c := service.Credentials()
	w.env = []string{
		childVariable + "=1", "PRACTICE_WEBHOOK_KEY=" + key, "PRACTICE_BASE_URL=" + service.BaseURL(),
		"PRACTICE_TOKEN_URL=" + service.TokenURL(), "PRACTICE_API_KEY=" + c.APIKey,
		"PRACTICE_CLIENT_ID=" + c.ClientID, "PRACTICE_CLIENT_SECRET=" + c.ClientSecret,
	}
	return w
}

// contact returns the one that an event is about: they take turns.
func (w *world) contact(n int) string {
	all := w.service.Firm().ContactIDs
	return all[n%len(all)]
}

func (w *world) body(n int) []byte {
	return fmt.Appendf(nil, `{"accountId":%q,"subscriptionId":"s","type":"contact.updated","timestamp":%d,"payload":{"id":%q,"lastName":"No. %d"}}`,
		w.service.Firm().AccountID, began+models.Ticks(n), w.contact(n), n)
}

// post delivers an event, signed anew as the service does, and is true when it
// was acknowledged.
func (w *world) post(t *testing.T, address string, n int) bool {
	header := http.Header{}
	if !assert.NoError(t, w.signer.Sign(header, time.Now(), uuid.NewString())) {
		return false
	}
	return w.send(t, address, header, w.body(n)) == http.StatusOK
}

// deliver posts an event until it is acknowledged, as a service does that does
// not give up.
func (w *world) deliver(t *testing.T, address string, n int) bool {
	for range 100 {
		if w.post(t, address, n) {
			return true
		}
	}
	return assert.Fail(t, "never acknowledged", "event %d", n)
}

// send returns the status, and 0 when the process is gone.
func (w *world) send(t *testing.T, address string, header http.Header, body []byte) int {
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, bytes.NewReader(body))
	if !assert.NoError(t, err) {
		return 0
	}
	req.Header = header
	resp, err := w.client.Do(req)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	return resp.StatusCode
}

// process is the program, as an operating system has it.
type process struct {
	*exec.Cmd
	lines   chan string // until the address was found
	mu      sync.Mutex
	output  strings.Builder
	trouble bytes.Buffer
	reading sync.WaitGroup
}

func (w *world) launch(t *testing.T, args ...string) *process {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	args = append([]string{"-dir", w.dir, "-callback", callback}, args...)
	p := &process{Cmd: exec.Command(program, args...), lines: make(chan string, 100)}
	p.Env = append(os.Environ(), w.env...)
	p.Stderr = &p.trouble
	out, err := p.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, p.Start())
	p.reading.Go(func() {
		defer close(p.lines)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			p.mu.Lock()
			p.output.WriteString(lines.Text() + "\n")
			p.mu.Unlock()
			select {
			case p.lines <- lines.Text():
			default:
			}
		}
	})
	return p
}

// address waits until the program listens.
func (p *process) address(t *testing.T) string {
	t.Helper()
	for line := range p.lines {
		if _, address, ok := strings.Cut(line, "Listening at "); ok {
			return address
		}
	}
	p.reading.Wait()
	_ = p.Wait()
	require.Fail(t, "the program ended", "%s", p.trouble.String())
	return ""
}

func (p *process) said() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.output.String()
}

// kill ends the process as a crash does.
func (p *process) kill(t *testing.T) {
	t.Helper()
	require.NoError(t, p.Process.Kill())
	p.reading.Wait()
	var exit *exec.ExitError
	require.ErrorAs(t, p.Wait(), &exit)
	assert.Empty(t, p.trouble.String())
}

// interrupt ends it as Ctrl-C does, and waits until it has drained.
func (p *process) interrupt(t *testing.T) {
	t.Helper()
	require.NoError(t, p.Process.Signal(stop))
	p.reading.Wait()
	require.NoError(t, p.Wait(), "%s", p.trouble.String())
}

// open reads the database that the processes write.
func (w *world) open(t *testing.T) *copied {
	t.Helper()
	db, err := openDatabase(t.Context(), filepath.Join(w.dir, "copy.db"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

// await waits until so many events are in the database.
func (w *world) await(t *testing.T, db *copied, want int) {
	t.Helper()
	before, idle := -1, 0
	for ; ; <-time.After(100 * time.Millisecond) {
		events, _, _, err := db.totals(t.Context())
		require.NoError(t, err)
		switch {
		case events >= want:
			return
		case events != before:
			before, idle = events, 0
		case idle == patience:
			require.Fail(t, "nothing happens", "%d of %d events are in the database", events, want)
		default:
			idle++
		}
	}
}

// work runs the senders, and waits for them.
func work(send func()) {
	var all sync.WaitGroup
	for range senders {
		all.Go(send)
	}
	all.Wait()
}

func someTime(ctx context.Context, atMost time.Duration) {
	select {
	case <-time.After(rand.N(atMost)):
	case <-ctx.Done():
	}
}
