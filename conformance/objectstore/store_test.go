package objectstore_test

import (
	"crypto/rand"
	"flag"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

const (
	region    = "us-east-1"
	bucket    = "documents"
	accessKey = "store-user"
)

var otherStore = flag.String("store", "", "the MinIO program, to run in the place of VersityGW")

// store is a real S3-compatible store of one test, on loopback.
type store struct {
	dir     string // contains a folder for each bucket, with the objects as files
	addr    string // host and port
	secret  string
	process *exec.Cmd
}

// startStore starts a store with one empty bucket. Without the program it skips
// the test, but fails where the checks run.
func startStore(t *testing.T) *store {
	t.Helper()
	s := &store{dir: t.TempDir(), secret: rand.Text()}
	require.NoError(t, os.Mkdir(filepath.Join(s.dir, bucket), 0o700))
	program := findProgram(t)
	for range 5 { // another program may take the port first
		s.addr = freePort(t)
		if s.start(t, program) {
			t.Cleanup(s.kill)
			return s
		}
	}
	t.Fatal("the store does not start")
	return nil
}

func findProgram(t *testing.T) string {
	t.Helper()
	if *otherStore != "" {
		return *otherStore
	}
	program, err := filepath.Abs("../../bin/versitygw") // where .ci/run installs it
	require.NoError(t, err)
	if _, err := os.Stat(program); err == nil {
		return program
	}
	program, err = exec.LookPath("versitygw")
	if err == nil {
		return program
	}
	if os.Getenv("CI") != "" {
		t.Fatal("the S3-compatible store is not installed, and the checks must not go without it")
	}
	t.Skip("the S3-compatible store is not installed: GOBIN=$PWD/bin GOWORK=off go install github.com/versity/versitygw/cmd/versitygw@v1.8.0")
	return ""
}

func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	return listener.Addr().String()
}

// start returns false if the store does not respond.
func (s *store) start(t *testing.T, program string) bool {
	t.Helper()
	s.process = exec.Command(program, "--port", s.addr, "--region", region, "--quiet", "posix", s.dir)
	s.process.Env = []string{"ROOT_ACCESS_KEY_ID=" + accessKey, "ROOT_SECRET_ACCESS_KEY=" + s.secret}
	if *otherStore != "" {
		s.process = exec.Command(program, "server", "--address", s.addr, "--quiet", s.dir)
		s.process.Env = []string{"MINIO_ROOT_USER=" + accessKey, "MINIO_ROOT_PASSWORD=" + s.secret, "MINIO_REGION=" + region, "HOME=" + s.dir}
	}
	require.NoError(t, s.process.Start())
	for range 12_000 {
		if conn, err := net.Dial("tcp", s.addr); err == nil {
			require.NoError(t, conn.Close())
			if s.isOwn(t) {
				return true
			}
			break // the store of another test has taken the port first
		}
		<-time.After(10 * time.Millisecond)
	}
	s.kill()
	return false
}

// isOwn reports whether the store at the address has the test's secret. A
// server that is no store answers both requests alike.
func (s *store) isOwn(t *testing.T) bool {
	t.Helper()
	return s.probe(t, s.secret) == http.StatusNotFound && s.probe(t, "another") == http.StatusForbidden
}

// probe returns the status for an object that does not exist, or 0 if there is
// no response.
func (s *store) probe(t *testing.T, secret string) int {
	t.Helper()
	now := time.Now()
	request := practicetest.PresignRequest{Method: http.MethodHead, Key: "none", Issued: now, Expiry: now.Add(time.Minute)}
	address, err := newSigner(s.addr, secret).address(request)
	require.NoError(t, err)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Head(address)
	if err != nil {
		return 0 // it has ended by now
	}
	require.NoError(t, answer.Body.Close())
	return answer.StatusCode
}

func TestAStoreOfAnotherTestIsNotTakenForOnesOwn(t *testing.T) {
	t.Parallel()
	other := startStore(t)
	own := &store{dir: t.TempDir(), secret: rand.Text(), addr: other.addr}
	require.False(t, own.start(t, findProgram(t)))
}

func TestAServerThatIsNoStoreIsNotTakenForOnesOwn(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(server.Close)
	own := &store{dir: t.TempDir(), secret: rand.Text(), addr: server.Listener.Addr().String()}
	require.False(t, own.isOwn(t))
}

func (s *store) kill() {
	_ = s.process.Process.Kill()
	_ = s.process.Wait()
}

// object returns the path of the file with an object.
func (s *store) object(key string) string {
	return filepath.Join(s.dir, bucket, filepath.FromSlash(key))
}
