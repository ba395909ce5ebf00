package oncesql

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// DefaultLease is the time after which another process may take over a key that
// its holder no longer renews.
const DefaultLease = 30 * time.Second

// Waits between two attempts to take a key.
const (
	firstTry   = 20 * time.Millisecond
	longestTry = time.Second
)

// mostAbsent is the number of failed attempts to take a key that nobody holds,
// after which the failure is attributed to the database.
const mostAbsent = 6

// hold is the row of a key's holder. The holder increases beat as a sign of
// life.
type hold struct {
	holder string
	beat   int64
}

// Hold waits until nobody else holds the key, in any process, or until ctx
// ends. It takes over a key whose holder has not renewed it for a whole lease
// by the clock of this process, so that clocks need not agree.
func (j *Journal) Hold(ctx context.Context, key string) (release func(), err error) {
	mine := uuid.NewString()
	var last hold
	seen, absent := time.Now(), 0
	for tries := 0; ; tries++ {
		taken, failed := j.exec(ctx, `INSERT INTO %_holds (entry_key, holder, beat)
			SELECT ?, ?, 0 WHERE NOT EXISTS (SELECT 1 FROM %_holds WHERE entry_key = ?)`, key, mine, key)
		if taken == 1 {
			return j.keep(ctx, key, mine), nil
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		var now hold
		err := j.table.Row(ctx, `SELECT holder, beat FROM %_holds WHERE entry_key = ?`, key).Scan(&now.holder, &now.beat)
		switch {
		case errors.Is(err, sql.ErrNoRows) && failed == nil: // the holder has just released it
		case errors.Is(err, sql.ErrNoRows):
			if absent++; absent == mostAbsent {
				return nil, failed
			}
		case err != nil:
			return nil, errors.Join(failed, err)
		case now != last:
			last, seen, absent = now, time.Now(), 0
		case time.Since(seen) >= j.lease:
			taken, err = j.exec(ctx, `UPDATE %_holds SET holder = ?, beat = 0 WHERE entry_key = ? AND holder = ? AND beat = ?`, mine, key, now.holder, now.beat)
			if err != nil {
				return nil, err
			}
			if taken == 1 {
				return j.keep(ctx, key, mine), nil
			}
		}
		if err := backoff.Sleep(ctx, backoff.Exponential(firstTry, min(longestTry, j.lease/4), tries)); err != nil {
			return nil, err
		}
	}
}

// keep increases the beat of a key until it is released. Its goroutine ends
// with release.
func (j *Journal) keep(ctx context.Context, key, mine string) (release func()) {
	ctx = context.WithoutCancel(ctx) // the result must be stored even if the call was cancelled
	beating, stop := context.WithCancel(ctx)
	var heart sync.WaitGroup
	heart.Go(func() {
		for backoff.Sleep(beating, j.lease/4) == nil {
			_, _ = j.exec(beating, `UPDATE %_holds SET beat = beat + 1 WHERE entry_key = ? AND holder = ?`, key, mine) // the next beat tries again
		}
	})
	return func() {
		stop()
		heart.Wait()
		_, _ = j.exec(ctx, `DELETE FROM %_holds WHERE entry_key = ? AND holder = ?`, key, mine) // if it fails, the hold ends with the lease
	}
}
