package main

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/examples/internal/setup"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/requestid"
	"github.com/practicesdk/practice-go/webhook/subscribe"
)

// keys are those that all instances share. They have nothing to do with each
// other.
type keys struct {
	webhook   models.Secret     // of the subscription
	requestID *requestid.Signer // makes the ids of own requests, and knows them again
}

// keys come from the environment, else from the database, which makes them up
// once.
func (d *copied) keys(ctx context.Context, env setup.Env) (keys, error) {
	webhook, err := d.key(ctx, env, "WEBHOOK_KEY", rand.Text())
	if err != nil {
		return keys{}, err
	}
	random := make([]byte, requestid.KeySize)
	_, _ = rand.Read(random) // never fails
	text, err := d.key(ctx, env, "REQUEST_ID_KEY", hex.EncodeToString(random))
	if err != nil {
		return keys{}, err
	}
	key, err := hex.DecodeString(text)
	if err != nil {
		err = requestid.ErrKey // the cause would show a part of the key
	}
	if err != nil {
		return keys{}, badKey(err)
	}
	signer, err := requestid.NewSigner(key)
	if err != nil {
		return keys{}, badKey(err)
	}
	return keys{models.NewSecret(webhook), signer}, nil
}

func badKey(err error) error {
	return fmt.Errorf("%w: %s: %w", program.ErrUsage, setup.Variable("REQUEST_ID_KEY"), err)
}

// key gives the one of the environment, else the stored one, else stores this
// one.
func (d *copied) key(ctx context.Context, env setup.Env, name, fresh string) (string, error) {
	if key := env(setup.Variable(name)); key != "" {
		return key, nil
	}
	var key string
	err := d.Transact(ctx, func(tx *sql.Tx) error {
		if err := write(ctx, tx, `INSERT OR IGNORE INTO settings VALUES (?, ?)`, name, fresh); err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, `SELECT value FROM settings WHERE name = ?`, name).Scan(&key)
	})
	return key, err
}

const lastSeen = "SUBSCRIPTION_SEEN"

// seen is when the subscription was last in order, to know since when events
// may be missed.
func (d *copied) seen(ctx context.Context) (seen subscribe.Check, err error) {
	var text string
	err = d.QueryRowContext(ctx, `SELECT value FROM settings WHERE name = ?`, lastSeen).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return seen, nil
	}
	if err != nil {
		return seen, err
	}
	return seen, json.Unmarshal([]byte(text), &seen)
}

func (d *copied) setSeen(ctx context.Context, seen subscribe.Check) error {
	text, err := json.Marshal(seen)
	if err != nil {
		return err
	}
	_, err = d.ExecContext(ctx, `INSERT INTO settings VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = ?2`, lastSeen, string(text))
	return err
}

// totals counts what took effect so far, in all runs and processes.
func (d *copied) totals(ctx context.Context) (events, contacts, relations int, err error) {
	err = d.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM events), (SELECT count(*) FROM contacts), (SELECT count(*) FROM relations)`).
		Scan(&events, &contacts, &relations)
	return events, contacts, relations, err
}
