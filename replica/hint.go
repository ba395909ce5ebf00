package replica

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/webhook"
)

// Hint stores that a record may have changed, so that the next round reads it
// first. It does not trust the rest of the event, which may be forged, late or
// duplicated; the copy works without events. Events that do not concern a
// record of the copy, or whose ids cannot be stored, are ignored. A new record
// whose parent the event does not name is found through its list.
func (c *Copy) Hint(ctx context.Context, event *webhook.Event[json.RawMessage]) error {
	area, _, _ := strings.Cut(string(event.Type), ".")
	id, matter := idsIn(event.Payload)
	if id == "" || strings.Contains(id+matter, "\x00") || !utf8.ValidString(id+matter) { // PostgreSQL stores no such text
		return nil
	}
	for _, k := range c.kinds {
		if k.event == area {
			return c.store.transact(ctx, func(tx *transaction) error { return tx.hint(k.name, id, matter) })
		}
	}
	return nil
}

func (t *transaction) hint(kind, id, parent string) error {
	return t.run(`INSERT INTO %_hints VALUES (?, ?, ?) ON CONFLICT (kind, id) DO NOTHING`, kind, id, parent)
}

// idsIn returns the ids of the record and of its matter in a payload, or "". The
// other members are not specified.
func idsIn(payload json.RawMessage) (id, matter string) {
	var of struct {
		ID       string         `json:"id"`
		Matter   map[string]any `json:"matter"`
		MatterID string         `json:"matterId"`
		Self     struct{ Href string }
		Href     string
	}
	_ = json.Unmarshal(payload, &of) // one of another form names no record
	if matter = cmp.Or(linked(of.Matter), of.MatterID); matter != "" {
		return of.ID, matter
	}
	_, rest, _ := strings.Cut(of.Self.Href+of.Href, "/matters/")
	segment, _, _ := strings.Cut(rest, "/")
	matter, _ = url.PathUnescape(segment) // "" if it cannot be read
	return of.ID, matter
}

// readHints reads the records of hints, as far as they can be read by id, and
// lets the lists of the others be asked. A hint is removed before its read: one
// that comes meanwhile leads to another, at the latest in the next round.
func (r *round) readHints(ctx context.Context) error {
	var name, id, parent string
	for {
		err := r.store.write(ctx, func(tx *transaction) error {
			return tx.row(`DELETE FROM %_hints WHERE (kind, id) = (SELECT kind, id FROM %_hints WHERE (kind, id) > (?, ?) ORDER BY kind, id LIMIT 1) RETURNING kind, id, parent`,
				name, id).Scan(&name, &id, &parent)
		})
		if err != nil {
			return ignoreNoRows(err)
		}
		k := r.kind(name)
		if k == nil {
			continue
		}
		if err := r.readHint(ctx, k, id, strings.ToLower(parent)); err != nil {
			return err
		}
	}
}

func (r *round) readHint(ctx context.Context, k *kind, id, parent string) error {
	q := question{id: strings.ToLower(id), sent: id, parent: parent}
	var sent string
	err := r.store.Row(ctx, `SELECT sent, parent FROM %_records WHERE kind = ? AND id = ?`, k.name, q.id).Scan(&sent, &q.parent)
	if err = ignoreNoRows(err); err != nil {
		return err
	}
	if sent != "" {
		q.sent = sent // the service may distinguish upper and lower case
	}
	if k.below == "" {
		q.parent = ""
	}
	if k.get == "" || k.below != "" && q.parent == "" {
		return r.touch(ctx, k, q)
	}
	err = r.ask(ctx, k, q, id)
	_, forged := errors.AsType[*practice.ArgumentError](err) // no id that the service has given
	if forged || errors.Is(err, practice.ErrBadRequest) || errors.Is(err, practice.ErrForbidden) || errors.Is(err, practice.ErrUnauthorized) {
		return nil // the list shows the records, or that they are refused
	}
	if err == nil || !ofService(err) && !errors.Is(err, ErrUnreadable) || ctx.Err() != nil {
		r.inRow = 0
		return err
	}
	r.failed = append(r.failed, fmt.Errorf("replica: %s: %w", k.name, err))
	if err := r.failOnce(ctx); err != nil {
		return err
	}
	return r.touch(ctx, k, q)
}

// touch lets the lists below the parent be asked in this round.
func (r *round) touch(ctx context.Context, k *kind, q question) error {
	if k.below == "" {
		return nil // it is asked in each round
	}
	parent := q.parent
	if parent == "" && k.single() {
		parent = q.id
	}
	return r.store.write(ctx, func(tx *transaction) error {
		return tx.run(`UPDATE %_records SET touched = ? WHERE kind = ? AND id = ?`, r.now.UnixNano(), k.below, parent)
	})
}
