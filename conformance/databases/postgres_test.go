package databases_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// postgres is the server of this test binary.
var postgres server

func TestMain(m *testing.M) {
	runCaller()
	stop, err := postgres.start()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) { stop(); os.Exit(code) }))
}

// server is a PostgreSQL server on a Unix socket, without a password. The zero
// value is one that is not installed.
type server struct {
	dir     string
	schemas atomic.Int64
}

// start starts the server, unless it is not installed.
func (s *server) start() (stop func(), err error) {
	stop = func() {}
	programs := programsOfPostgres()
	if programs == "" {
		return stop, nil
	}
	if s.dir, err = os.MkdirTemp("", "postgres"); err != nil {
		return nil, err
	}
	remove := func() { _ = os.RemoveAll(s.dir) }
	as, err := s.owner()
	if err != nil {
		remove()
		return nil, err
	}
	data := filepath.Join(s.dir, "data")
	command := func(program string, arguments ...string) *exec.Cmd {
		line := append(append(as, filepath.Join(programs, program)), arguments...)
		made := exec.Command(line[0], line[1:]...)
		made.Dir = s.dir
		return made
	}
	if said, err := command("initdb", "-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-sync").CombinedOutput(); err != nil {
		remove()
		return nil, fmt.Errorf("initdb: %w: %s", err, said)
	}
	process := command("postgres", "-D", data, "-k", s.dir, "-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=200")
	if err := process.Start(); err != nil {
		remove()
		return nil, err
	}
	stop = func() {
		_ = process.Process.Signal(syscall.SIGQUIT) // at once, without a last checkpoint
		_ = process.Wait()
		remove()
	}
	if err := s.wait(); err != nil {
		stop()
		return nil, err
	}
	return stop, nil
}

// programsOfPostgres returns the directory of the server's programs, or "".
// Debian keeps them out of the path.
func programsOfPostgres() string {
	if program, err := exec.LookPath("postgres"); err == nil {
		if program, err = filepath.EvalSymlinks(program); err == nil {
			return filepath.Dir(program)
		}
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres") // the pattern is valid
	if len(found) == 0 {
		return ""
	}
	return filepath.Dir(found[len(found)-1])
}

// owner returns the beginning of a command that runs as another user, to whom
// it gives the directory: the server refuses to run as root.
func (s *server) owner() ([]string, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	const name = "nobody"
	nobody, err := user.Lookup(name)
	if err != nil {
		return nil, err
	}
	uid, _ := strconv.Atoi(nobody.Uid) // a number on every Unix system
	gid, _ := strconv.Atoi(nobody.Gid)
	return []string{"setpriv", "--reuid=" + nobody.Uid, "--regid=" + nobody.Gid, "--clear-groups"}, os.Chown(s.dir, uid, gid)
}

// wait waits until the server accepts connections.
func (s *server) wait() error {
	db, err := sql.Open("pgx", s.source("public", "read committed"))
	if err != nil {
		return err
	}
	defer db.Close()
	for range 6000 {
		if err = db.PingContext(context.Background()); err == nil {
			return nil
		}
		<-time.After(10 * time.Millisecond)
	}
	return err
}

func (s *server) source(schema, isolation string) string {
	return fmt.Sprintf("host=%s user=tester dbname=postgres search_path=%s default_transaction_isolation='%s'", s.dir, schema, isolation)
}

// place creates an empty schema. Without a server it skips the test, but
// fails where the checks run.
func (s *server) place(t *testing.T, isolation string) place {
	t.Helper()
	if s.dir == "" && os.Getenv("CI") != "" {
		t.Fatal("PostgreSQL is not installed, and the checks must not go without it")
	}
	if s.dir == "" {
		t.Skip("PostgreSQL is not installed: apt-get install postgresql")
	}
	db, err := sql.Open("pgx", s.source("public", "read committed"))
	require.NoError(t, err)
	defer db.Close()
	name := fmt.Sprint("test", s.schemas.Add(1))
	_, err = db.ExecContext(t.Context(), "CREATE SCHEMA "+name)
	require.NoError(t, err)
	return place{"pgx", s.source(name, isolation), true}
}
