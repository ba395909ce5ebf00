package command

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/once"
)

// noteAge is the age of a note from which a subscription that is not listed is
// not expected to appear.
const noteAge = time.Hour

// note describes the subscription of a start. It is written before the
// subscription is created. The journal that holds it is locked until the start
// ends.
type note struct {
	Firm    string `json:"firm"`
	Address string `json:"address"` // callback URL; only the subscription with this one belongs to the command
	Key     string `json:"key"`

	begun   time.Time
	path    string
	journal *once.File
	id      string // of the subscription; empty if it was not seen
	none    bool   // there is no subscription, and none is expected
}

// noteKey is the key of a note in its journal.
const noteKey = "subscription"

// firmOf identifies the list of subscriptions. The address of a sandbox is
// another one at each start.
func (l *listening) firmOf(t *target) string {
	if l.sandbox != "" {
		path, _ := filepath.Abs(l.sandbox) // fails without a current folder, which --sandbox needs, too
		return "sandbox " + path
	}
	return strings.Join([]string{t.BaseURL, t.AccountID, t.ClientID}, " ")
}

// takeNotes writes the note of this start, and returns those that killed ones
// left.
func (l *listening) takeNotes(ctx context.Context, own *note) (left []*note, err error) {
	dir, err := l.fileOf("listeners")
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return nil, err
	}
	names, err := fs.Glob(os.DirFS(dir), "*.journal")
	for _, name := range names {
		if n := leftNote(ctx, filepath.Join(dir, name)); n != nil && n.Firm == own.Firm {
			left = append(left, n)
		} else if n != nil {
			n.close()
		}
	}
	own.path = filepath.Join(dir, rand.Text()+".journal")
	if err == nil {
		own.journal, err = once.Open(own.path)
	}
	if err == nil {
		err = own.journal.Store(ctx, noteKey, once.Entry{}, once.Entry{Intent: once.Intent{At: time.Now()}, ID: string(encode(own))})
	}
	return left, err
}

// leftNote opens a note that no command holds. It returns nil if there is none.
func leftNote(ctx context.Context, path string) *note {
	n := &note{path: path}
	var err error
	if n.journal, err = once.Open(path); err != nil {
		return nil
	}
	entry, err := n.journal.Load(ctx, noteKey)
	if err == nil && !entry.IsZero() {
		err = json.Unmarshal([]byte(entry.ID), n)
	}
	n.begun, n.none = entry.Intent.At, err == nil && entry.IsZero() // killed before there was a note
	return n
}

// close releases a note, and removes it if it has no subscription.
func (n *note) close() {
	if n.journal == nil {
		return
	}
	_ = n.journal.Close() // it is synced
	if n.none {
		_ = os.Remove(n.path) // otherwise a later start does it
		_ = os.Remove(n.path + ".lock")
	}
}

// subscribe creates the subscription of a note. If the response is lost, it
// looks for the subscription.
func (l *listening) subscribe(ctx context.Context, own *note) (err error) {
	body := models.WebhookSubscriptionWrite{
		Name: "practice webhooks listen", EventNotificationURL: own.Address, Key: models.Some(models.NewSecret(own.Key)),
	}
	for _, name := range l.events {
		body.EventTypes = append(body.EventTypes, models.EventType(name))
	}
	if len(body.EventTypes) == 0 {
		body.EventTypes, err = l.client.Webhooks.ListTypes(ctx, practice.EventTypeListOptions{})
	}
	made := new(models.WebhookSubscription)
	if err == nil {
		l.wrote = written{class: practice.OperationCreate, sending: true, look: l.words["Webhooks.List"]}
		made, err = l.client.Webhooks.Create(ctx, body)
	}
	switch {
	case err == nil && made.ID != "":
		own.id = made.ID
	case err != nil && !has[*practice.DecodeError](err) && l.wrote.effectOf(err) == notDone:
		own.none = true
		if errors.Is(err, practice.ErrForbidden) || errors.Is(err, practice.ErrUnauthorized) {
			err = fmt.Errorf("the command requires the scopes webhooks/read and webhooks/write: %w", err)
		}
		return err
	default:
		return l.search(ctx, own, cmp.Or(err, practice.ErrNoID))
	}
	return nil
}

// search looks for a subscription after its creation had no clear response. If
// it is not listed in time, search returns the reason, and a later start looks
// again.
func (l *listening) search(ctx context.Context, own *note, reason error) error {
	ctx, cancel := context.WithTimeout(ctx, once.DefaultSearchLimit)
	defer cancel()
	for tries := 0; ; tries++ {
		failed := l.find(ctx, own)
		if own.id != "" {
			return nil
		}
		if backoff.Sleep(ctx, backoff.Exponential(time.Second, 10*time.Second, tries)) != nil {
			return errors.Join(reason, failed)
		}
	}
}

// find sets the ids of the notes whose subscriptions are listed.
func (l *listening) find(ctx context.Context, notes ...*note) error {
	for s, err := range l.client.Webhooks.All(ctx, practice.WebhookSubscriptionListOptions{}) {
		if err != nil && !has[*practice.RecordError](err) { // of a subscription in an unknown form
			return err
		}
		if i := slices.IndexFunc(notes, func(n *note) bool { return n.Address == s.EventNotificationURL }); i >= 0 {
			notes[i].id = s.ID
		}
	}
	return nil
}

// remove deletes the subscriptions of notes.
func (l *listening) remove(ctx context.Context, notes ...*note) error {
	notes = slices.DeleteFunc(slices.Clone(notes), func(n *note) bool { return n.none })
	if len(notes) == 0 {
		return nil
	}
	failed := l.find(ctx, notes...)
	for _, n := range notes {
		if n.id == "" {
			n.none = failed == nil && time.Since(n.begun) > noteAge
			continue
		}
		err := l.delete(ctx, n)
		n.none = err == nil
		failed = errors.Join(failed, err)
	}
	return failed
}

// delete deletes the subscription of a note, unless someone has changed its
// address.
func (l *listening) delete(ctx context.Context, n *note) error {
	there, err := l.client.Webhooks.Get(ctx, n.id)
	if err == nil && there.EventNotificationURL == n.Address {
		_, err = l.client.Webhooks.Delete(ctx, n.id)
	}
	if errors.Is(err, practice.ErrNotFound) {
		return nil
	}
	return err
}
