package replica

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/internal/sqltable"
	"github.com/practicesdk/practice-go/once/oncesql"
)

// Defaults of Options.
const (
	DefaultEvery     = 5 * time.Minute
	DefaultWithin    = time.Hour
	DefaultWhole     = 24 * time.Hour
	DefaultOverlap   = 5 * time.Minute
	DefaultRetention = 30 * 24 * time.Hour
	DefaultShare     = 0.5
)

// leastShare is the smallest Options.Share.
const leastShare = 0.01

// Options configure a Copy. The zero value is ready to use.
type Options struct {
	// Kinds are the names of the kinds to copy, as the function Kinds returns
	// them; the kinds of their parents are copied too. Nil means all except
	// those below a contact, an event or a task, which cost one request for
	// each parent.
	Kinds []string
	// Every is the time from the beginning of one round of Run to that of the
	// next; 0 means DefaultEvery.
	Every time.Duration
	// Within is the time within which Run requests each list below a record
	// again; 0 means DefaultWithin. Status shows whether the rate allows it.
	Within time.Duration
	// Whole is the time after which a list with a change filter is read without
	// the filter, because a filter may omit deleted records; 0 means
	// DefaultWhole.
	Whole time.Duration
	// Overlap is subtracted from the time since which changes are requested,
	// because a change may become visible later than its own time; 0 means
	// DefaultOverlap.
	Overlap time.Duration
	// Retention is the time for which changes are stored; 0 means
	// DefaultRetention.
	Retention time.Duration
	// Share is the largest part of the client's rate limit that the copy takes
	// while other calls wait for the limit too, from 0.01 to 1; 0 means
	// DefaultShare. The copy uses what the others leave. It sends one request at
	// a time, so beside others that call without a pause it never gets more than
	// half. Copies that share a limit are others to each other.
	Share float64
	// AllowMissing continues even if more than half of a list is missing; see
	// ErrManyMissing.
	AllowMissing bool
	// WithoutPersonalData stores only the members that the API description has
	// and does not mark as personal data or free text. Open removes what is
	// stored already; the copy then remains without them, whatever later options
	// say. Kinds whose ids are texts that people write cannot be copied.
	WithoutPersonalData bool
	// Progress is called during a round, in its goroutine, after each list and
	// every 200 records. It may be nil.
	Progress func(Progress)
	// Lease is the time after which another process may take over the copy from
	// a process that was killed; 0 means 30 seconds.
	Lease time.Duration
}

// Copy is a copy of the records of a firm in a database. Its methods can be
// called concurrently.
type Copy struct {
	client  *practice.Client
	store   store
	lease   *oncesql.Journal
	kinds   []*kind
	options Options
	pace    chan *pace // holds it while no request is sent
}

// Open returns the copy in a SQLite or PostgreSQL database. It creates missing
// tables and adds missing columns, and does not send any requests. The caller
// closes the database. In PostgreSQL, each firm needs a schema of its own, the
// first one in the search path. A SQLite database should have a busy timeout,
// transactions that lock at their beginning, and a journal that lets readers
// and the writer work at the same time. With the driver modernc.org/sqlite:
//
//	sql.Open("sqlite", "file:firm.db?_pragma=busy_timeout(20000)&_pragma=journal_mode(wal)&_txlock=immediate")
func Open(ctx context.Context, db *sql.DB, client *practice.Client, options Options) (*Copy, error) {
	if client == nil || db == nil {
		return nil, errors.New("replica: Open requires a database and a client")
	}
	options.Every, options.Within = cmp.Or(options.Every, DefaultEvery), cmp.Or(options.Within, DefaultWithin)
	options.Whole, options.Overlap = cmp.Or(options.Whole, DefaultWhole), cmp.Or(options.Overlap, DefaultOverlap)
	options.Retention, options.Share = cmp.Or(options.Retention, DefaultRetention), cmp.Or(options.Share, DefaultShare)
	if min(options.Every, options.Within, options.Whole, options.Overlap, options.Retention) < 0 {
		return nil, errors.New("replica: the durations in the options must not be negative")
	}
	if !(options.Share >= leastShare && options.Share <= 1) {
		return nil, fmt.Errorf("replica: the option Share is %v, but must be from %v to 1", options.Share, leastShare)
	}
	kinds, err := chosen(options.Kinds)
	if err != nil {
		return nil, err
	}
	d, err := dialectOf(ctx, db)
	if err != nil {
		return nil, err
	}
	table := sqltable.Table{DB: db, Name: "copy", Numbered: d.numbered()}
	c := &Copy{client: client, store: store{Table: table, dialect: d}, kinds: kinds, options: options, pace: make(chan *pace, 1)}
	c.pace <- newPace(options.Share)
	if err := c.store.migrate(ctx, rand.Text()); err != nil {
		return nil, err
	}
	c.lease, err = oncesql.Open(ctx, db, oncesql.Options{Table: "copy_writer", Numbered: table.Numbered, Lease: options.Lease})
	if err != nil {
		return nil, err
	}
	if err := c.withoutPersonalData(ctx); err != nil {
		return nil, err
	}
	return c, c.createTables(ctx)
}

func (c *Copy) kind(name string) *kind {
	i := slices.IndexFunc(c.kinds, func(k *kind) bool { return k.name == name })
	if i < 0 {
		return nil
	}
	return c.kinds[i]
}

// Sync makes one round over all lists and waits until no other process writes
// to the copy. Once a list with a change filter was read in full, only its
// changes are requested. If Sync returns nil, the copy has everything that the
// lists showed. A list that may not be read is not an error: Status has the
// reason in Refused. After an error, everything that was complete is stored, and
// the next round continues.
func (c *Copy) Sync(ctx context.Context) error {
	writer, release, err := c.write(ctx)
	if err != nil {
		return err
	}
	defer release()
	return writer.round(ctx, 0)
}

// Run makes rounds until ctx ends. It requests the firm-wide lists in each
// round, and the lists below a record in turn, so that each is requested within
// Options.Within; lists below records that have changed come first. Run passes
// the error of each round to report, which may be nil. It returns the error of
// ctx, or an error after which no round can succeed.
func (c *Copy) Run(ctx context.Context, report func(error)) error {
	writer, release, err := c.write(ctx)
	if err != nil {
		return err
	}
	defer release()
	for {
		watch := backoff.Start()
		err := writer.round(ctx, c.options.Every)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if errors.Is(err, ErrTakenOver) || errors.Is(err, ErrAnotherFirm) {
			return err
		}
		if err != nil && report != nil {
			report(err)
		}
		if err := backoff.Sleep(ctx, c.options.Every-watch.Passed()); err != nil {
			return err
		}
	}
}

// write waits until no other process writes to the copy.
func (c *Copy) write(ctx context.Context) (*writer, func(), error) {
	release, err := c.lease.Hold(ctx, "copy")
	if err != nil {
		return nil, nil, err
	}
	w := &writer{Copy: c, store: c.store}
	if err := w.store.begin(ctx); err != nil {
		release()
		return nil, nil, err
	}
	return w, release, nil
}

// ignoreNoRows returns an error, or nil if it says that there is no row.
func ignoreNoRows(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}
