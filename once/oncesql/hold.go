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

// DefaultLease is the time for which a silent process keeps a key.
const DefaultLease = 30 * time.Second

// Waits between two attempts to get a key.
const (
	firstTry   = 20 * time.Millisecond
	longestTry = time.Second
)

// mostAbsent is the number of attempts to get a key that fail although nobody
// has it, after which the database and not another process is taken for the
// cause.
const mostAbsent = 6

// hold is the state of the holder of a key, whose growing beat shows that it is
// alive.
type hold struct {
	holder string
	beat   int64
}

// Hold waits until nobody else holds the key, in any process, or ctx ends. It
// takes the key of a holder whose beat has not grown for a whole lease by the
// clock of this process, so that clocks need not agree.
func (j *Journal) Hold(ctx context.Context, key string) (release func(), err error) {
	mine := uuid.NewString()
	var last hold
	seen, absent := time.Now(), 0
	for tries := 0; ; tries++ {
		taken, failed := j.exec(ctx, j.db, `INSERT INTO %_holds (entry_key, holder, beat)
			SELECT ?, ?, 0 WHERE NOT EXISTS (SELECT 1 FROM %_holds WHERE entry_key = ?)`, key, mine, key)
		if taken == 1 {
			return j.keep(ctx, key, mine), nil
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		var now hold
		err := j.db.QueryRowContext(ctx, j.statement(`SELECT holder, beat FROM %_holds WHERE entry_key = ?`), key).Scan(&now.holder, &now.beat)
		switch {
		case errors.Is(err, sql.ErrNoRows) && failed == nil: // its holder has just released it
		case errors.Is(err, sql.ErrNoRows):
			if absent++; absent == mostAbsent {
				return nil, failed
			}
		case err != nil:
			return nil, errors.Join(failed, err)
		case now != last:
			last, seen, absent = now, time.Now(), 0
		case time.Since(seen) >= j.lease:
			taken, err = j.exec(ctx, j.db, `UPDATE %_holds SET holder = ?, beat = 0 WHERE entry_key = ? AND holder = ? AND beat = ?`, mine, key, now.holder, now.beat)
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

// keep increases the beat of a key until it is released. The goroutine ends
// with release.
func (j *Journal) keep(ctx context.Context, key, mine string) (release func()) {
	ctx = context.WithoutCancel(ctx) // a cancelled call still records its result
	beating, stop := context.WithCancel(ctx)
	var heart sync.WaitGroup
	heart.Go(func() {
		for backoff.Sleep(beating, j.lease/4) == nil {
			_, _ = j.exec(beating, j.db, `UPDATE %_holds SET beat = beat + 1 WHERE entry_key = ? AND holder = ?`, key, mine) // the next beat tries again
		}
	})
	return func() {
		stop()
		heart.Wait()
		_, _ = j.exec(ctx, j.db, `DELETE FROM %_holds WHERE entry_key = ? AND holder = ?`, key, mine) // if it fails, the lease ends the hold
	}
}
