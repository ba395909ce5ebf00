package main

import (
	"context"

	"github.com/practicesdk/practice-go/examples/internal/database"
)

// schema holds a copy of who is related to whom, and what must be written in
// one transaction with it: which events took effect, and of when each contact
// is. How late the service may repeat an event is not specified, so none is
// deleted.
const schema = `
CREATE TABLE IF NOT EXISTS events (
	number    INTEGER PRIMARY KEY AUTOINCREMENT, -- in the order of the transactions
	identity  TEXT NOT NULL UNIQUE,
	type      TEXT NOT NULL,
	account   TEXT NOT NULL,
	resource  TEXT NOT NULL,
	timestamp INTEGER NOT NULL,
	outcome   TEXT NOT NULL,
	process   INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS contacts (
	account   TEXT NOT NULL,
	id        TEXT NOT NULL,
	timestamp INTEGER NOT NULL, -- of the newest event that took effect
	changes   INTEGER NOT NULL, -- events that took effect
	overtaken INTEGER NOT NULL, -- events that came after a newer one
	PRIMARY KEY (account, id)
) STRICT;
CREATE TABLE IF NOT EXISTS relations (
	account TEXT NOT NULL,
	contact TEXT NOT NULL,
	related TEXT NOT NULL,
	PRIMARY KEY (account, contact, related)
) STRICT;
CREATE TABLE IF NOT EXISTS settings (
	name  TEXT NOT NULL PRIMARY KEY,
	value TEXT NOT NULL
) STRICT;`

// copied is the copy. Processes on one machine may share it; on several, the
// same statements do with a database server.
type copied struct{ *database.DB }

func openDatabase(ctx context.Context, file string) (*copied, error) {
	db, err := database.Open(ctx, file, schema)
	if err != nil {
		return nil, err
	}
	return &copied{db}, nil
}
