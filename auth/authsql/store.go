// Package authsql keeps the tokens of package auth in a database, for any
// number of users and processes. You choose the driver: the statements are
// plain SQL that SQLite and PostgreSQL accept.
//
//	tokens, err := authsql.Open(ctx, db, authsql.Options{})
//	…
//	source := auth.Source{Credentials: credentials, Store: tokens.Store("firm 17")}
//
// With SQLite, open the database with a busy timeout; otherwise, a statement
// fails with SQLITE_BUSY while another connection writes. Use immediate
// transactions, because your own transactions may read before they write. Use a
// single connection, so that the statements of a process run in order instead
// of starving each other. With the driver modernc.org/sqlite:
//
//	db, err := sql.Open("sqlite", "file:app.db?_pragma=busy_timeout(10000)&_pragma=journal_mode(wal)&_txlock=immediate")
//	…
//	db.SetMaxOpenConns(1)
//
// The tokens are stored as plain text. Encrypt the database or its disk,
// because anyone who has a refresh token can act as the user.
package authsql

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/internal/sqltable"
)

// DefaultTable is the name of the table with the tokens.
const DefaultTable = "auth_tokens"

// DefaultLease is the time after which another process may take over the lock
// of a process that was killed. It is longer than a token request.
const DefaultLease = 90 * time.Second

// Waits between two attempts to lock a row, and for the end of a lock.
const (
	firstTry    = 20 * time.Millisecond
	longestTry  = time.Second
	unlockLimit = 20 * time.Second // longer than statements usually wait for a busy database
)

// ErrOvertaken reports that another process has taken over the lock, because
// this one held it for longer than its lease. Nothing was saved, and no refresh
// token was sent.
var ErrOvertaken = errors.New("authsql: another process has taken over the token lock")

// Options configure a Database. The zero value is ready to use.
type Options struct {
	// Table is the name of the table; empty means DefaultTable. Open creates a
	// missing table.
	Table string
	// Numbered uses the placeholders $1 and $2, for PostgreSQL, instead of
	// question marks.
	Numbered bool
	// Lease is the time after which another process may take over a lock; 0
	// means DefaultLease. It must be longer than a token request, which takes
	// up to 30 s.
	Lease time.Duration
}

// Database holds the tokens of many users.
type Database struct {
	table sqltable.Table
	lease time.Duration
}

// Open returns the tokens in a database. The caller closes the database.
func Open(ctx context.Context, db *sql.DB, options Options) (*Database, error) {
	table, err := sqltable.Open(db, cmp.Or(options.Table, DefaultTable), options.Numbered)
	if err != nil {
		return nil, fmt.Errorf("authsql: %w", err)
	}
	d := &Database{table: table, lease: options.Lease}
	if d.lease <= 0 {
		d.lease = DefaultLease
	}
	return d, table.Create(ctx, `CREATE TABLE IF NOT EXISTS % (name VARCHAR(255) PRIMARY KEY, tokens TEXT NOT NULL, holder VARCHAR(64) NOT NULL)`)
}

// Store returns the store for one user, for example one per firm. The name can
// have at most 255 bytes.
func (d *Database) Store(name string) *Store {
	return &Store{in: d, name: name, turn: make(chan struct{}, 1)}
}

// Store is an auth.TokenStore in a row of a database. The lock is a lease, so
// that no connection is held during a request.
type Store struct {
	in   *Database
	name string
	turn chan struct{} // semaphore for the goroutines of this Store

	mu     sync.Mutex
	holder string // id of the lock that this Store holds, or ""
}

// Lock waits until nobody else holds the lock, in any process, or until ctx
// ends. It takes over a lock that was held for a whole lease by the clock of
// this process, so that clocks need not agree.
func (s *Store) Lock(ctx context.Context) (unlock func(), err error) {
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	mine := uuid.NewString()
	if err := s.take(ctx, mine); err != nil {
		<-s.turn
		return nil, err
	}
	s.setHolder(mine)
	return func() {
		s.setHolder("")
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), unlockLimit)
		defer cancel()
		_, _ = s.in.exec(ctx, `UPDATE % SET holder = '' WHERE name = ? AND holder = ?`, s.name, mine) // if it fails, the lease ends
		<-s.turn
	}, nil
}

func (s *Store) take(ctx context.Context, mine string) error {
	if _, err := s.in.exec(ctx, `INSERT INTO % (name, tokens, holder) VALUES (?, '', '') ON CONFLICT DO NOTHING`, s.name); err != nil {
		return err
	}
	last, seen := "", time.Now()
	for tries := 0; ; tries++ {
		from := "" // the lock that is replaced
		if last != "" && time.Since(seen) >= s.in.lease {
			from = last
		}
		taken, err := s.in.exec(ctx, `UPDATE % SET holder = ? WHERE name = ? AND holder = ?`, mine, s.name, from)
		if err != nil || taken == 1 {
			return err
		}
		var now string
		if err := s.in.table.Row(ctx, `SELECT holder FROM % WHERE name = ?`, s.name).Scan(&now); err != nil {
			return err
		}
		if now != last {
			last, seen = now, time.Now()
		}
		if err := backoff.Sleep(ctx, backoff.Exponential(firstTry, min(longestTry, s.in.lease/4), tries)); err != nil {
			return err
		}
	}
}

// Load returns the tokens, or zero Tokens if there are none.
func (s *Store) Load(ctx context.Context) (auth.Tokens, error) {
	var text string
	err := s.in.table.Row(ctx, `SELECT tokens FROM % WHERE name = ?`, s.name).Scan(&text)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return auth.Tokens{}, err
	}
	return auth.ParseTokens(text)
}

// Save replaces the tokens. It returns ErrOvertaken if another process has
// taken over the lock.
func (s *Store) Save(ctx context.Context, tokens auth.Tokens) error {
	s.mu.Lock()
	holder := s.holder
	s.mu.Unlock()
	if holder == "" {
		return ErrOvertaken
	}
	saved, err := s.in.exec(ctx, `UPDATE % SET tokens = ? WHERE name = ? AND holder = ?`, tokens.Reveal(), s.name, holder)
	if err == nil && saved == 0 {
		return ErrOvertaken
	}
	return err
}

// Delete removes the tokens of a user, who then has to sign in again. The
// service is not informed.
func (s *Store) Delete(ctx context.Context) error {
	_, err := s.in.exec(ctx, `UPDATE % SET tokens = '' WHERE name = ?`, s.name)
	return err
}

func (s *Store) setHolder(holder string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.holder = holder
}

func (d *Database) exec(ctx context.Context, text string, args ...any) (int64, error) {
	return d.table.Exec(ctx, d.table.DB, text, args...)
}
