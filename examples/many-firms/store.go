package main

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/auth"
)

// schema has a row for each firm. Encrypt the column, or the disk: whoever
// reads a refresh token can act as the firm.
const schema = `
CREATE TABLE IF NOT EXISTS tokens (
	firm   TEXT PRIMARY KEY,
	tokens TEXT NOT NULL,   -- empty before the first sign-in
	holder TEXT NOT NULL,   -- who has locked the row; empty when nobody has
	until  BIGINT NOT NULL  -- milliseconds; the lock of a process that died ends then
)`

// lease is longer than a token request can take, with all its attempts.
const lease = 2 * time.Minute

var errLockLost = errors.New("the lock of the tokens has ended: another process has them")

// store keeps the tokens of a firm in a row. The row is locked by a lease and
// not by a transaction, so that no connection is held during a request.
type store struct {
	db   *sql.DB
	firm string
	poll time.Duration

	inProcess chan struct{} // holds a value while a goroutine of this process has the lock
	mu        sync.Mutex
	holder    string // of the lock that this process has
}

var _ auth.TokenStore = (*store)(nil)

func newStore(db *sql.DB, firm string) *store {
	return &store{db: db, firm: firm, poll: 100 * time.Millisecond, inProcess: make(chan struct{}, 1)}
}

// Lock waits until nobody has the row.
func (s *store) Lock(ctx context.Context) (unlock func(), err error) {
	select {
	case s.inProcess <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	holder := rand.Text()
	if err := s.acquire(ctx, holder); err != nil {
		<-s.inProcess
		return nil, err
	}
	s.hold(holder)
	return func() {
		s.hold("")
		// Without it the lease ends by itself.
		_, _ = s.db.ExecContext(context.WithoutCancel(ctx), `UPDATE tokens SET holder = '', until = 0 WHERE firm = $1 AND holder = $2`, s.firm, holder)
		<-s.inProcess
	}, nil
}

// acquire takes the row, as soon as it is free or the lease of its holder ends.
func (s *store) acquire(ctx context.Context, holder string) error {
	if _, err := s.db.ExecContext(ctx, `INSERT INTO tokens VALUES ($1, '', '', 0) ON CONFLICT DO NOTHING`, s.firm); err != nil {
		return err
	}
	for {
		now := time.Now() // the clocks of the replicas must agree to a fraction of the lease
		taken, err := changed(s.db.ExecContext(ctx, `UPDATE tokens SET holder = $1, until = $2 WHERE firm = $3 AND until < $4`,
			holder, now.Add(lease).UnixMilli(), s.firm, now.UnixMilli()))
		if err != nil || taken {
			return err
		}
		select {
		case <-time.After(s.poll):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Load returns the tokens; they are never half written.
func (s *store) Load(ctx context.Context) (auth.Tokens, error) {
	var text string
	err := s.db.QueryRowContext(ctx, `SELECT tokens FROM tokens WHERE firm = $1`, s.firm).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) || err == nil && text == "" {
		return auth.Tokens{}, nil
	}
	if err != nil {
		return auth.Tokens{}, err
	}
	return auth.ParseTokens(text)
}

// Save replaces the tokens, unless the lease has ended meanwhile.
func (s *store) Save(ctx context.Context, tokens auth.Tokens) error {
	s.mu.Lock()
	holder := s.holder
	s.mu.Unlock()
	saved, err := changed(s.db.ExecContext(ctx, `UPDATE tokens SET tokens = $1 WHERE firm = $2 AND holder = $3 AND holder <> ''`,
		tokens.Reveal(), s.firm, holder))
	if err == nil && !saved {
		err = fmt.Errorf("firm %s: %w", s.firm, errLockLost)
	}
	return err
}

func (s *store) hold(holder string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.holder = holder
}

// changed reports whether a statement has changed a row.
func changed(result sql.Result, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	rows, err := result.RowsAffected()
	return rows > 0, err
}
