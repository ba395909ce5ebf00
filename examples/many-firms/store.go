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

// schema has one row for each firm. Encrypt the column or the disk: a refresh
// token is enough to act as the firm.
const schema = `
CREATE TABLE IF NOT EXISTS tokens (
	firm   TEXT PRIMARY KEY,
	tokens TEXT NOT NULL,   -- empty before the first sign-in
	holder TEXT NOT NULL,   -- who has locked the row; empty when nobody has
	until  BIGINT NOT NULL  -- milliseconds; the lock of a process that died ends then
)`

// lease is longer than a token request with all its attempts.
const lease = 2 * time.Minute

var errLockLost = errors.New("the lock of the tokens has ended: another process has them")

// store stores the tokens of a firm in a row. It locks the row with a lease
// instead of a transaction, so that it does not hold a connection during a
// request.
type store struct {
	db   *sql.DB
	firm string
	poll time.Duration

	inProcess chan struct{} // semaphore for the goroutines of this process
	mu        sync.Mutex
	holder    string // id of the lock that this process holds
}

var _ auth.TokenStore = (*store)(nil)

func newStore(db *sql.DB, firm string) *store {
	return &store{db: db, firm: firm, poll: 100 * time.Millisecond, inProcess: make(chan struct{}, 1)}
}

// Lock waits until the row is unlocked and locks it.
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
		// If this fails, the lease expires.
		_, _ = s.db.ExecContext(context.WithoutCancel(ctx), `UPDATE tokens SET holder = '', until = 0 WHERE firm = $1 AND holder = $2`, s.firm, holder)
		<-s.inProcess
	}, nil
}

// acquire locks the row once it is unlocked or the lease of its holder has
// expired.
func (s *store) acquire(ctx context.Context, holder string) error {
	if _, err := s.db.ExecContext(ctx, `INSERT INTO tokens VALUES ($1, '', '', 0) ON CONFLICT DO NOTHING`, s.firm); err != nil {
		return err
	}
	for {
		now := time.Now() // the clocks of the replicas must not differ by more than a fraction of the lease
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

// Load returns the tokens. A row is written at once, so they are complete.
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

// Save replaces the tokens, unless the lease has expired meanwhile.
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

// changed reports whether a statement changed a row.
func changed(result sql.Result, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	rows, err := result.RowsAffected()
	return rows > 0, err
}
