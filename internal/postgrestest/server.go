// Package postgrestest starts a PostgreSQL server for tests. The test binary
// chooses the driver, which must register itself as pgx.
package postgrestest

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
)

// Server is a PostgreSQL server on a Unix socket, without a password. The zero
// value stands for a server that is not installed.
type Server struct {
	Dir     string // directory of the socket and of the data; empty if it is not installed
	schemas atomic.Int64
	process *exec.Cmd
	line    func() *exec.Cmd
}

// Start starts the server, unless it is not installed. The caller stops it.
func (s *Server) Start() (stop func(), err error) {
	stop = func() {}
	programs := programs()
	if programs == "" {
		return stop, nil
	}
	if s.Dir, err = os.MkdirTemp("", "postgres"); err != nil {
		return nil, err
	}
	remove := func() { _ = os.RemoveAll(s.Dir) }
	as, err := s.owner()
	if err != nil {
		remove()
		return nil, err
	}
	data := filepath.Join(s.Dir, "data")
	command := func(program string, arguments ...string) *exec.Cmd {
		line := append(append(as, filepath.Join(programs, program)), arguments...)
		made := exec.Command(line[0], line[1:]...) //nolint:gosec // a program of the server
		made.Dir = s.Dir
		return made
	}
	if said, err := command("initdb", "-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-sync").CombinedOutput(); err != nil {
		remove()
		return nil, fmt.Errorf("initdb: %w: %s", err, said)
	}
	s.line = func() *exec.Cmd {
		return command("postgres", "-D", data, "-k", s.Dir, "-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=200")
	}
	stop = func() {
		s.end()
		remove()
	}
	if err := s.begin(); err != nil {
		stop()
		return nil, err
	}
	return stop, nil
}

// Restart stops the server at once, as a fault of its machine does, and starts
// it again.
func (s *Server) Restart() error {
	s.end()
	return s.begin()
}

func (s *Server) begin() error {
	s.process = s.line()
	if err := s.process.Start(); err != nil {
		return err
	}
	db, err := sql.Open("pgx", s.Source("public", "read committed"))
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }() // nothing was written
	for range 6000 {
		if err = db.PingContext(context.Background()); err == nil {
			return nil
		}
		<-time.After(10 * time.Millisecond)
	}
	return err
}

func (s *Server) end() {
	_ = s.process.Process.Signal(syscall.SIGQUIT) // at once, without a last checkpoint
	_ = s.process.Wait()
}

// programs returns the directory of the server's programs, or "". Debian keeps
// them out of the path.
func programs() string {
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

// owner returns the beginning of a command that runs as another user, because
// the server refuses to run as root. That user becomes the directory's owner.
func (s *Server) owner() ([]string, error) {
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
	return []string{"setpriv", "--reuid=" + nobody.Uid, "--regid=" + nobody.Gid, "--clear-groups"}, os.Chown(s.Dir, uid, gid)
}

// Source returns the data source name of a schema.
func (s *Server) Source(schema, isolation string) string {
	return fmt.Sprintf("host=%s user=tester dbname=postgres search_path=%s default_transaction_isolation='%s'", s.Dir, schema, isolation)
}

// Schema creates an empty schema, and returns its name. Without a server it
// skips the test, but fails where the checks run.
func (s *Server) Schema(t testing.TB) string {
	t.Helper()
	if s.Dir == "" && os.Getenv("CI") != "" {
		t.Fatal("PostgreSQL is not installed, but the checks require it")
	}
	if s.Dir == "" {
		t.Skip("PostgreSQL is not installed: run apt-get install postgresql")
	}
	db, err := sql.Open("pgx", s.Source("public", "read committed"))
	require.NoError(t, err)
	defer func() { _ = db.Close() }() // nothing was written
	name := fmt.Sprint("test", s.schemas.Add(1))
	_, err = db.ExecContext(t.Context(), "CREATE SCHEMA "+name)
	require.NoError(t, err)
	return name
}
