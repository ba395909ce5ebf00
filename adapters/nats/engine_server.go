package nats

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"github.com/nats-io/nats-server/v2/server"
)

// ErrStoreInUse reports a directory that another process has open.
var ErrStoreInUse = errors.New("nats: the directory is in use by another process")

const maxPayload = 8 << 20 // maximum size of a message in bytes, the largest that NATS recommends

// embedded is a NATS server inside the process.
type embedded struct {
	*server.Server
	lock  *flock.Flock
	limit int64 // storage in bytes that it may use
}

// startServer starts a server with a data directory that does not listen on a
// port.
func startServer(dir string, logger *slog.Logger, start time.Duration) (*embedded, error) {
	if dir == "" {
		return nil, refuse("storeDir", "must not be empty without WithServers")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, wrap("create the directory", err)
	}
	// The server does not prevent two processes from writing the same files.
	lock := flock.New(filepath.Join(dir, "lock"))
	if locked, err := lock.TryLock(); err != nil {
		return nil, wrap("lock the directory", err)
	} else if !locked {
		return nil, ErrStoreInUse
	}
	e := &embedded{lock: lock}
	if err := e.run(dir, logger, start); err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	return e, nil
}

// run starts the server, which may use three quarters of the free storage. If
// that has shrunk below what the streams have reserved, the server would refuse
// every update, even one that reserves less: it then starts again, with so much
// that keepRoom can do so.
func (e *embedded) run(dir string, logger *slog.Logger, start time.Duration) (err error) {
	if e.Server, err = runServer(dir, logger, start, 0); err != nil {
		return err
	}
	e.limit = e.JetStreamConfig().MaxStore
	if _, reserved, err := e.JetStreamReservedResources(); err == nil && reserved > e.limit {
		e.Shutdown()
		e.WaitForShutdown()
		e.Server, err = runServer(dir, logger, start, reserved+e.limit)
		return err
	}
	return nil
}

// runServer starts a server with the storage, or with one that it chooses
// itself if that is 0.
func runServer(dir string, logger *slog.Logger, start time.Duration, storage int64) (*server.Server, error) {
	s, err := server.NewServer(&server.Options{
		ServerName: "embedded", DontListen: true, NoSigs: true, MaxPayload: maxPayload,
		JetStream: true, StoreDir: dir, SyncAlways: true, JetStreamMaxStore: storage,
	})
	if err != nil {
		return nil, wrap("configure the server", err)
	}
	log := &serverLog{logger: logger}
	s.SetLogger(log, false, false)
	s.Start()
	if reason := log.reason(); reason != "" || !s.ReadyForConnections(start) {
		s.Shutdown()
		s.WaitForShutdown()
		return nil, fmt.Errorf("nats: the server did not start: %s", cmp.Or(reason, "the server was not ready in time"))
	}
	return s, nil
}

// stop stops the server after it has written everything to disk.
func (e *embedded) stop() error {
	if e == nil {
		return nil
	}
	e.Shutdown()
	e.WaitForShutdown()
	return e.lock.Unlock()
}

// serverLog forwards the log and keeps the reason if the server cannot start.
type serverLog struct {
	logger *slog.Logger
	mu     sync.Mutex
	fatal  string
}

func (l *serverLog) reason() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fatal
}

// Fatalf logs an error. It does not end the process, which does not belong to
// the server.
func (l *serverLog) Fatalf(format string, v ...any) {
	l.mu.Lock()
	l.fatal = fmt.Sprintf(format, v...)
	l.mu.Unlock()
	l.Errorf(format, v...)
}

func (l *serverLog) Errorf(format string, v ...any) {
	l.logger.Error(fmt.Sprintf("nats: "+format, v...))
}
func (l *serverLog) Warnf(format string, v ...any) { l.logger.Warn(fmt.Sprintf("nats: "+format, v...)) }
func (l *serverLog) Noticef(format string, v ...any) {
	l.logger.Debug(fmt.Sprintf("nats: "+format, v...))
}
func (l *serverLog) Debugf(format string, v ...any) {
	l.logger.Debug(fmt.Sprintf("nats: "+format, v...))
}
func (l *serverLog) Tracef(string, ...any) {}
