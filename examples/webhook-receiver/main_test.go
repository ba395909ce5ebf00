package main

import (
	"bytes"
	"database/sql"
	"fmt"
	"log"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/webhook"
)

// isProgram is the environment variable that makes this test binary run the
// program.
const isProgram = "WEBHOOK_RECEIVER_TEST"

const began models.Ticks = 638_912_345_678_901_234

func TestMain(m *testing.M) {
	if arguments := os.Getenv(isProgram); arguments != "" {
		os.Args = strings.Split(arguments, "\n")
		main()
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// world is a service that outlives processes of the program.
type world struct {
	*practicetest.Server
	signer    *webhook.Signer
	http      *http.Client
	dir       string
	variables []string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	service, err := practicetest.Start(practicetest.WithStrict(true))
	require.NoError(t, err)
	c, key := service.Credentials(), uuid.NewString()
	signer, err := webhook.NewSigner(c.ClientID, key)
	require.NoError(t, err)
	w := &world{Server: service, signer: signer, http: &http.Client{Transport: &http.Transport{}}, dir: filepath.Join(t.TempDir(), "made"), variables: append(os.Environ(),
		"PRACTICE_WEBHOOK_KEY="+key, "PRACTICE_BASE_URL="+service.BaseURL(), "PRACTICE_TOKEN_URL="+service.TokenURL(),
		"PRACTICE_API_KEY="+c.APIKey, "PRACTICE_CLIENT_ID="+c.ClientID, "PRACTICE_CLIENT_SECRET="+c.ClientSecret)}
	t.Cleanup(func() {
		w.http.CloseIdleConnections()
		assert.Empty(t, service.Violations())
		require.NoError(t, service.Close())
	})
	return w
}

// process is a running process of the program.
type process struct {
	*exec.Cmd
	address string
	said    bytes.Buffer
	ended   sync.WaitGroup
}

// launch starts the program and waits until it listens.
func (w *world) launch(t *testing.T, flags ...string) *process {
	t.Helper()
	binary, err := os.Executable()
	require.NoError(t, err)
	p := &process{Cmd: exec.Command(binary)}
	arguments := append([]string{"webhook-receiver", "-dir", w.dir, "-callback", "https://hooks.example.test/hooks"}, flags...)
	p.Env = append(w.variables, isProgram+"="+strings.Join(arguments, "\n"))
	out, err := p.StdoutPipe()
	require.NoError(t, err)
	p.Stderr = p.Stdout
	require.NoError(t, p.Start())
	listening := make(chan string, 1)
	p.ended.Go(func() {
		defer close(listening)
		var line []byte
		for one := make([]byte, 1); ; {
			if n, err := out.Read(one); n == 0 && err != nil {
				return
			}
			p.said.Write(one)
			if line = append(line, one[0]); one[0] != '\n' {
				continue
			}
			if _, address, found := strings.Cut(strings.TrimSpace(string(line)), "Listening at "); found {
				listening <- address
			}
			line = nil
		}
	})
	address, there := <-listening
	require.True(t, there, "it ended")
	p.address = address
	return p
}

// end ends a process with a signal, and returns its output.
func (p *process) end(t *testing.T, signal os.Signal) string {
	t.Helper()
	require.NoError(t, p.Process.Signal(signal))
	p.ended.Wait()
	err := p.Wait()
	if signal == os.Interrupt {
		require.NoError(t, err, p.said.String())
	}
	return p.said.String()
}

// body returns event n. Matters alternate.
func (w *world) body(n int) string {
	return fmt.Sprintf(`{"accountId":%q,"subscriptionId":"s","type":"matter.updated","timestamp":%d,"payload":{"id":%q}}`,
		w.Firm().AccountID, began+models.Ticks(n), w.Firm().MatterIDs[n%5])
}

// signed returns the headers of a delivery of the service.
func (w *world) signed(t *testing.T, requestID string) http.Header {
	t.Helper()
	header := http.Header{}
	require.NoError(t, w.signer.Sign(header, time.Now(), requestID))
	return header
}

// send delivers a body and returns the status, or 0 if the process has ended.
func (w *world) send(t *testing.T, address, body string, header http.Header) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+"/hooks", strings.NewReader(body))
	require.NoError(t, err)
	request.Header = header
	response, err := w.http.Do(request)
	if err != nil {
		return 0
	}
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}

// copied opens the database of the processes.
func (w *world) copied(t *testing.T) *sql.DB {
	t.Helper()
	db, err := openDatabase(t.Context(), filepath.Join(w.dir, "copy.db"), schema)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

// awaitEffects waits until events 0 to n-1 have taken effect, and checks that
// each did so once and that the copy equals the service's records.
func (w *world) awaitEffects(t *testing.T, n int) {
	t.Helper()
	db, effects := w.copied(t), 0
	for effects < n {
		require.NoError(t, db.QueryRowContext(t.Context(), `SELECT count(*) FROM effects`).Scan(&effects))
		<-time.After(20 * time.Millisecond)
	}
	require.Equal(t, n, effects)
	for i := range min(n, 5) {
		var event models.Ticks
		var record string
		id := w.Firm().MatterIDs[i]
		require.NoError(t, db.QueryRowContext(t.Context(), `SELECT event, record FROM matters WHERE id = ?`, id).Scan(&event, &record))
		assert.Equal(t, began+models.Ticks(n-1-(n-1-i)%5), event, "the newest event of the matter")
		matter, there := w.Matter(id)
		require.True(t, there)
		var stored models.Matter
		require.NoError(t, stored.UnmarshalJSON([]byte(record)))
		assert.Equal(t, matter.Title, stored.Title)
	}
}

// deliver posts event n until it is acknowledged, like a persistent service,
// and then once more.
func (w *world) deliver(t *testing.T, address string, n int) bool {
	t.Helper()
	for range 2 {
		if w.send(t, address, w.body(n), w.signed(t, uuid.NewString())) != http.StatusOK {
			return false
		}
	}
	return true
}

func TestEveryAcknowledgedEventTakesEffectOnceAlthoughTheProgramIsKilled(t *testing.T) {
	t.Parallel()
	w, n := newWorld(t), 0
	for range 3 {
		p := w.launch(t)
		time.AfterFunc(200*time.Millisecond, func() { _ = p.Process.Kill() })
		for w.deliver(t, p.address, n) {
			n++
		}
		p.ended.Wait()
		require.Error(t, p.Wait(), "it was killed")
	}
	p := w.launch(t)
	require.True(t, w.deliver(t, p.address, n))
	w.awaitEffects(t, n+1)
	p.end(t, os.Interrupt)
}

func TestTwoInstancesShareTheWork(t *testing.T) {
	t.Parallel()
	queue, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true, JetStream: true, StoreDir: t.TempDir()})
	require.NoError(t, err)
	queue.Start()
	t.Cleanup(func() {
		queue.Shutdown()
		queue.WaitForShutdown()
	})
	require.True(t, queue.ReadyForConnections(time.Minute))
	w := newWorld(t)
	one, two := w.launch(t, "-nats", queue.ClientURL()), w.launch(t, "-nats", queue.ClientURL())
	const events = 60
	for n := range events {
		require.True(t, w.deliver(t, []string{one.address, two.address}[n%2], (n*7)%events)) // 7 and 60 are coprime
	}
	w.awaitEffects(t, events)
	one.end(t, os.Interrupt)
	two.end(t, os.Interrupt)
}

func TestAForgedBodyIsNoMoreThanAHint(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.launch(t)
	assert.Equal(t, http.StatusUnauthorized, w.send(t, p.address, w.body(0), http.Header{}), "nobody signed it")
	header := w.signed(t, "r-1")
	require.Equal(t, http.StatusOK, w.send(t, p.address, w.body(0), header))
	forged := strings.Replace(w.body(1), `"payload":{`, `"payload":{"title":"forged",`, 1)
	require.Equal(t, http.StatusOK, w.send(t, p.address, forged, header), "its headers are genuine")
	later := strings.Replace(w.body(0), fmt.Sprint(began), "999912345678901234", 1)
	require.Equal(t, http.StatusOK, w.send(t, p.address, later, w.signed(t, "r-2")), "it is acknowledged, and becomes a dead letter")
	w.awaitEffects(t, 2)
	assert.Contains(t, p.end(t, os.Interrupt), "The signature of request r-1 came with two bodies: one may be forged.\n")
}

func TestTheDemonstrationEnds(t *testing.T) {
	log.SetOutput(t.Output())
	service, err := practicetest.Start(practicetest.WithWebhookChaos(0.2, 0.2), practicetest.WithWebhookRedeliveries(5))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, service.Close()) })
	a := app{client: service.Client(t), listen: "127.0.0.1:0", dir: t.TempDir()}
	require.NoError(t, a.demonstrate(t.Context(), service))
	var effects int
	db := (&world{dir: a.dir}).copied(t)
	require.NoError(t, db.QueryRowContext(t.Context(), `SELECT count(*) FROM effects`).Scan(&effects))
	assert.Equal(t, 40, effects)
}
