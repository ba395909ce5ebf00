package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"time"

	practice "github.com/practicesdk/practice-go"
)

const (
	overlap   = 5 * time.Minute // for updates that become visible late, and clocks that differ
	fullEvery = 24 * time.Hour  // a change filter may not return deleted records
	batch     = 100             // records per transaction
)

// schema stores the records and, for each list, the time up to which it is
// complete. Times are nanoseconds of the service's clock.
const schema = `
CREATE TABLE IF NOT EXISTS records (
	kind    TEXT NOT NULL,
	id      TEXT NOT NULL,
	matter  TEXT NOT NULL,    -- whose list has it; else empty
	version INTEGER NOT NULL, -- ticks of its last change; 0 if the service does not say
	deleted INTEGER NOT NULL,
	missed  INTEGER NOT NULL, -- walks over the whole list, in a row, that did not have it
	round   INTEGER NOT NULL, -- the last one that had it
	record  TEXT NOT NULL,    -- all of it, as JSON
	PRIMARY KEY (kind, id)
) STRICT;
CREATE INDEX IF NOT EXISTS lists ON records (kind, matter);
CREATE TABLE IF NOT EXISTS marks (
	kind   TEXT NOT NULL,
	matter TEXT NOT NULL,
	mark   INTEGER NOT NULL, -- when the last complete walk began
	whole  INTEGER NOT NULL, -- when the last complete walk over the whole list began
	PRIMARY KEY (kind, matter)
) STRICT;
CREATE TABLE IF NOT EXISTS source (
	firm  TEXT NOT NULL,
	round INTEGER NOT NULL
) STRICT;`

var (
	errAnother  = errors.New("the file is the copy of another firm: name another file")
	errTaken    = errors.New("another run has gone on with this file")
	errVanished = errors.New("more than half of a list is gone: may this access still read it? Another file begins a new copy")
)

// copier updates a copy.
type copier struct {
	client *practice.Client
	db     *sql.DB
	kinds  []kind
	number int64              // number of the current round
	found  map[string]*counts // counts of the current round by kind
}

// counts holds the numbers of records in a round.
type counts struct{ added, changed, deleted, present int }

func openCopy(ctx context.Context, client *practice.Client, file string) (*copier, error) {
	db, err := openDatabase(ctx, file, schema)
	return &copier{client: client, db: db, kinds: kinds()}, err
}

// round reads all lists. Each list has its own mark, which advances when the
// list was read without an error, so an interrupted round loses nothing that it
// had completed. The mark is the service's time before the read. The newest
// time in the copy would be wrong, because an older update may become visible
// later.
func (c *copier) round(ctx context.Context, full bool) (map[string]*counts, error) {
	now, err := c.begin(ctx)
	if err != nil {
		return nil, err
	}
	c.found = map[string]*counts{}
	for _, k := range c.kinds {
		c.found[k.name] = &counts{}
		lists := []string{""}
		if k.ofMatters {
			if lists, err = c.matters(ctx); err != nil {
				return nil, err
			}
		}
		for _, matter := range lists {
			err := c.walk(ctx, k, matter, now, full)
			if k.ofMatters && errors.Is(err, practice.ErrNotFound) {
				continue // the matter was deleted in this round; its records count as neither present nor missing
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", k.name, err)
			}
		}
		row := c.db.QueryRowContext(ctx, `SELECT count(*) FROM records WHERE kind = ? AND NOT deleted`, k.name)
		if err := row.Scan(&c.found[k.name].present); err != nil {
			return nil, err
		}
	}
	return c.found, nil
}

// begin returns the service's time and increments the number of the round.
func (c *copier) begin(ctx context.Context) (time.Time, error) {
	var response practice.Response
	firm, err := c.client.Firm.Get(ctx, practice.WithResponse(&response))
	if err != nil {
		return time.Time{}, err
	}
	now, err := http.ParseTime(response.Header.Get("Date"))
	if err != nil {
		return now, fmt.Errorf("the service does not tell its time: %w", err)
	}
	return now, transact(ctx, c.db, func(tx *sql.Tx) error {
		var known string
		err := tx.QueryRowContext(ctx, `SELECT firm FROM source`).Scan(&known)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			err = execute(ctx, tx, `INSERT INTO source VALUES (?, 0)`, firm.ID)
		case err == nil && known != firm.ID:
			err = errAnother
		}
		if err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, `UPDATE source SET round = round + 1 RETURNING round`).Scan(&c.number)
	})
}

// matters returns the ids of the matters and leads in the copy.
func (c *copier) matters(ctx context.Context) (ids []string, err error) {
	rows, err := c.db.QueryContext(ctx, `SELECT id FROM records WHERE kind = 'matters' AND NOT deleted ORDER BY id`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// walk stores the records of a list: the changed ones, or all if the list has
// no filter, was never complete, or was last read completely a day ago. It
// ignores a mark in the future, because then the service's clock was set back.
func (c *copier) walk(ctx context.Context, k kind, matter string, now time.Time, full bool) error {
	var mark, whole int64
	err := c.db.QueryRowContext(ctx, `SELECT mark, whole FROM marks WHERE kind = ? AND matter = ?`, k.name, matter).Scan(&mark, &whole)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	var since time.Time
	if !full && k.filtered && mark > 0 && mark <= now.UnixNano() && now.UnixNano()-whole < int64(fullEvery) {
		since = time.Unix(0, mark).Add(-overlap)
	} else {
		whole = now.UnixNano()
	}
	var some []record
	for r, err := range k.list(ctx, c.client, matter, since) {
		if err != nil {
			return err // the mark does not advance
		}
		if some = append(some, r); len(some) == batch {
			if err := c.store(ctx, k, matter, some, func(*sql.Tx) error { return nil }); err != nil {
				return err
			}
			some = some[:0]
		}
	}
	return c.store(ctx, k, matter, some, func(tx *sql.Tx) error {
		if since.IsZero() {
			if err := c.miss(ctx, tx, k, matter); err != nil {
				return err
			}
		}
		return execute(ctx, tx, `INSERT INTO marks VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET mark = ?3, whole = ?4`,
			k.name, matter, now.UnixNano(), whole)
	})
}

// store writes records and the end of their walk in one transaction. If another
// run has started a later round, it writes nothing.
func (c *copier) store(ctx context.Context, k kind, matter string, some []record, end func(*sql.Tx) error) error {
	return transact(ctx, c.db, func(tx *sql.Tx) error {
		var latest int64
		if err := tx.QueryRowContext(ctx, `SELECT round FROM source`).Scan(&latest); err != nil {
			return err
		}
		if latest != c.number {
			return errTaken
		}
		for _, r := range some {
			if err := c.put(ctx, tx, k, matter, r); err != nil {
				return err
			}
		}
		return end(tx)
	})
}

// put compares a record with its copy. It ignores an equal record, as the
// overlap returns them, and an older one from a stale list.
func (c *copier) put(ctx context.Context, tx *sql.Tx, k kind, matter string, r record) error {
	was, of := record{id: r.id}, c.found[k.name]
	err := tx.QueryRowContext(ctx, `SELECT version, deleted, record FROM records WHERE kind = ? AND id = ?`, k.name, r.id).
		Scan(&was.version, &was.deleted, &was.text)
	known := err == nil
	switch {
	case err != nil && !errors.Is(err, sql.ErrNoRows):
		return err
	case !known && r.deleted:
		return nil // it was created and deleted between two rounds
	case known && (was == r || !r.version.IsZero() && r.version < was.version):
		return execute(ctx, tx, `UPDATE records SET missed = 0, round = ? WHERE kind = ? AND id = ?`, c.number, k.name, r.id)
	case !known || was.deleted && !r.deleted:
		of.added++
	case r.deleted && !was.deleted:
		of.deleted++
	default:
		of.changed++
	}
	return execute(ctx, tx, `INSERT INTO records VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6, ?7)
		ON CONFLICT DO UPDATE SET matter = ?3, version = ?4, deleted = ?5, missed = 0, round = ?6, record = ?7`,
		k.name, r.id, matter, r.version, r.deleted, c.number, r.text)
}

// miss counts the records that are missing in a complete walk of the whole
// list. A missing record is not proof of a deletion, because it may have moved
// between two pages. So it is marked as deleted, and not removed, when two
// walks in a row lack it.
func (c *copier) miss(ctx context.Context, tx *sql.Tx, k kind, matter string) error {
	err := execute(ctx, tx, `UPDATE records SET missed = missed + 1 WHERE kind = ? AND matter = ? AND round <> ? AND NOT deleted`,
		k.name, matter, c.number)
	if err != nil {
		return err
	}
	var present, missed int
	err = tx.QueryRowContext(ctx, `SELECT count(*), count(*) FILTER (WHERE missed > 1) FROM records WHERE kind = ? AND matter = ? AND NOT deleted`,
		k.name, matter).Scan(&present, &missed)
	switch {
	case err != nil:
		return err
	case missed > 10 && missed > present/2:
		return errVanished
	}
	c.found[k.name].deleted += missed
	return execute(ctx, tx, `UPDATE records SET deleted = 1 WHERE kind = ? AND matter = ? AND missed > 1`, k.name, matter)
}

func execute(ctx context.Context, tx *sql.Tx, statement string, args ...any) error {
	_, err := tx.ExecContext(ctx, statement, args...)
	return err
}
