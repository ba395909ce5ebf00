package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	practice "github.com/practicesdk/practice-go"
)

var (
	errTaken   = errors.New("another run has gone on with this round")
	errAnother = errors.New("the file is the copy of another calendar: name another file")
)

// source is whose calendar is copied, and the time there.
type source struct {
	service string // base address
	firm    string // its id; empty if the service does not return it
	now     time.Time
}

// identify asks for the firm. A client that may not read it knows the service
// only.
func (s *syncer) identify(ctx context.Context) (source, error) {
	from := source{service: s.service}
	var response practice.Response
	firm, err := s.client.Firm.Get(ctx, practice.WithResponse(&response))
	switch {
	case errors.Is(err, practice.ErrForbidden), errors.Is(err, practice.ErrNotFound):
	case err != nil:
		return from, err
	default:
		from.firm = firm.ID
	}
	from.now, err = http.ParseTime(response.Header.Get("Date"))
	if err != nil {
		return from, fmt.Errorf("the service does not tell its time: %w", err)
	}
	return from, nil
}

// attempt counts another one, in a copy of the same calendar.
func attempt(ctx context.Context, tx *sql.Tx, from source) (number int64, err error) {
	var known source
	err = tx.QueryRowContext(ctx, `SELECT service, firm, attempt FROM source`).Scan(&known.service, &known.firm, &number)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		err = execute(ctx, tx, `INSERT INTO source VALUES (?, ?, 0)`, from.service, from.firm)
	case err == nil && !known.same(from):
		err = fmt.Errorf("%w (%s, firm %q)", errAnother, known.service, known.firm)
	}
	if err != nil {
		return 0, err
	}
	return number + 1, execute(ctx, tx, `UPDATE source SET attempt = attempt + 1, firm = coalesce(nullif(?, ''), firm)`, from.firm)
}

// same compares the firms where both are known.
func (s source) same(as source) bool {
	return strings.TrimRight(s.service, "/") == strings.TrimRight(as.service, "/") && (s.firm == as.firm || s.firm == "" || as.firm == "")
}
