package assistant

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/cmd/practice/internal/finders"
	"github.com/practicesdk/practice-go/cmd/practice/internal/readers"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/once"
)

// searchLimit is how long a create with an unknown outcome is looked for.
const searchLimit = 20 * time.Second

// errChanged reports a record that is not the one of the preview.
var errChanged = errors.New("the record or the firm has changed since the preview: call preview_write again")

// previewWrite is the tool that shows a write before it is sent.
func (a *Assistant) previewWrite(ctx context.Context, in *input) (string, error) {
	o, err := a.callable(in.Operation, in.Body)
	if err == nil && o.Class == practice.OperationRead {
		err = errors.New(o.ID + " is a read operation: call read or list instead")
	}
	if err != nil {
		return "", err
	}
	v := &preview{operation: o, body: in.Body}
	if v.arguments, err = a.Policy.bound(o, in.Arguments); err != nil {
		return "", err
	}
	if only, other := a.Policy.names(in.Body); a.Policy.matter != "" && (other || !only && !a.Policy.shows(o, in.Body)) {
		return "", errHidden
	}
	if v.request, err = a.capture(ctx, v, bodyOf(in.Body)); err != nil {
		return "", err
	}
	var firm string
	if v.firm, firm, err = a.firm(ctx); err != nil {
		return "", err
	}
	before, err := a.before(ctx, v)
	if err != nil {
		return "", err
	}
	v.version = digest(string(before))
	if v.text, err = v.describe(firm, a.shown(v, before)); err != nil {
		return "", err
	}
	if err := a.previews.add(v); err != nil {
		return "", err
	}
	return fmt.Sprintf("Nothing has been sent. Show this preview to the person. If the person agrees, call write with preview %s within ten minutes.\n%s", v.handle, data(v.text)), nil
}

// capture returns the request of a write as it would be sent, or the error of
// the library for wrong arguments.
func (a *Assistant) capture(ctx context.Context, v *preview, body any) (sent exact, err error) {
	err = a.client.Call(permitted(ctx, &permit{captured: &sent}, 0), v.operation.ID, v.arguments, body, nil)
	if sent.method == "" {
		return sent, err
	}
	if reason := a.Policy.refusal(v.operation, sent.body); reason != "" {
		return sent, refused(v.operation, reason)
	}
	return sent, nil
}

// before returns the record that a write changes, or the list that it is in; nil
// for a create.
func (a *Assistant) before(ctx context.Context, v *preview) ([]byte, error) {
	if v.operation.Class == practice.OperationCreate {
		return nil, nil
	}
	o, readable := a.readers.Near(v.operation.Path)
	if !readable {
		return nil, refused(v.operation, "no operation reads the data that it would change")
	}
	var text []byte
	arguments := readers.Arguments(o, v.operation, v.arguments)
	if err := a.client.Call(permitted(ctx, &permit{}, maxRequests), o.ID, arguments, nil, &text); err != nil {
		return nil, err
	}
	if !a.Policy.shows(o, text) {
		return nil, errHidden
	}
	return text, nil
}

// shown returns the record before a write as the assistant may see it; nothing
// for a list.
func (a *Assistant) shown(v *preview, before []byte) string {
	o, _ := a.readers.Near(v.operation.Path)
	if before == nil || lists(o) {
		return ""
	}
	text, err := a.cleaner.clean(before, kindOf(o))
	if err != nil {
		return err.Error()
	}
	return indented(text)
}

// errTooLong reports a write of which a person would see only a part.
var errTooLong = fmt.Errorf("the request is too long for a preview, which has at most %d characters: send less in one write", maxText)

// describe returns the text for the person, with all of the request.
func (v *preview) describe(firm, before string) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s in the firm %s\n%s %s\n", v.operation.ID, firm, v.request.method, v.request.target)
	if len(v.request.body) > 0 {
		fmt.Fprintf(&b, "sends:\n%s\n", indented(v.request.body))
	}
	if v.operation.Replaces {
		b.WriteString("Members that the body omits are cleared.\n")
	}
	if _, more := cut(legible(b.String()), maxText); more {
		return "", errTooLong
	}
	if before != "" {
		fmt.Fprintf(&b, "current state:\n%s\n", before)
	}
	text, more := cut(legible(b.String()), maxText)
	if more {
		text += "\n(truncated)"
	}
	return text, nil
}

// legible returns a text with escapes for characters that a person does not see, or
// that change how the others are seen.
func legible(text string) string {
	var b strings.Builder
	for _, r := range text {
		joiner := r == '\u200c' || r == '\u200d' // some scripts need it
		if r != '\n' && !joiner && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
			fmt.Fprintf(&b, "\\u%04x", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func indented(text []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, text, "", "  ") != nil {
		return string(text)
	}
	return b.String()
}

func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}

// write sends the write of a preview that a person has confirmed.
func (a *Assistant) write(ctx context.Context, v *preview) (text string, err error) {
	var journal *once.File
	if v.operation.Class == practice.OperationCreate {
		a.creating.Lock()
		defer a.creating.Unlock()
		if journal, err = once.Open(a.Journal); err != nil {
			return "", fmt.Errorf("nothing was sent, and the preview is still valid: %w", err)
		}
		defer func() { _ = journal.Close() }() // its entries are synced
	}
	if err := a.previews.take(v); err != nil {
		return "", err
	}
	id := uuid.NewString()
	defer func() {
		outcome := "accepted"
		if err != nil {
			outcome = a.visible(err)
		}
		a.Log(fmt.Sprintf("write: operation %s, preview %s, request %s: %s", v.operation.ID, v.handle, id, outcome))
	}()
	if err := a.unchanged(ctx, v); err != nil {
		return "", err
	}
	send := func(ctx context.Context) (link []byte, err error) {
		ctx = context.WithoutCancel(ctx) // a request under way ends by itself, so that its outcome is known
		err = a.client.Call(permitted(ctx, &permit{write: &v.request}, maxRequests), v.operation.ID, v.arguments, bodyOf(v.body), &link, practice.WithRequestID(id))
		return link, err
	}
	if journal != nil {
		return a.create(ctx, v, journal, send)
	}
	if _, err := send(ctx); err != nil {
		return "", err
	}
	return "The service has accepted " + v.operation.ID + ", request " + id + ". Do not repeat it.", nil
}

// unchanged returns an error unless the firm and the record are those of the
// preview.
func (a *Assistant) unchanged(ctx context.Context, v *preview) error {
	firm, _, err := a.firm(ctx)
	if err != nil {
		return err
	}
	before, err := a.before(ctx, v)
	switch {
	case err != nil:
		return err
	case firm != v.firm || digest(string(before)) != v.version:
		return errChanged
	}
	return nil
}

// create runs a create by once. An equal create whose outcome is unknown, also
// of another process, is looked for and not repeated.
func (a *Assistant) create(ctx context.Context, v *preview, journal *once.File, send func(context.Context) ([]byte, error)) (text string, err error) {
	content := digest(a.BaseURL, v.firm, v.request.method, v.request.target, string(v.request.body))
	key := ""
	for n, entry := 1, (once.Entry{ID: "an earlier one"}); entry.ID != ""; n++ {
		key = fmt.Sprintf("%s %d", content, n)
		if entry, err = journal.Load(ctx, key); err != nil {
			return "", err
		}
	}
	finder, limit := finders.Of(v.operation), searchLimit
	if finder == nil {
		limit = 0
	}
	find := func(ctx context.Context, intent once.Intent) ([]string, error) {
		return finder.Find(permitted(ctx, &permit{}, maxRequests), a.client, v.arguments, v.body, intent.At)
	}
	id, err := once.Do(ctx, journal, key, func(ctx context.Context, _ once.Intent) (string, error) {
		text, err := send(ctx)
		var link models.Link
		_ = json.Unmarshal(text, &link) // a response without an id is looked for
		return link.TargetID(), err
	}, find, once.SearchLimit(limit))
	if id == "" {
		return "", err
	}
	text = "The service has accepted " + v.operation.ID + ". The record is " + id + ". Do not repeat it."
	if err != nil {
		text += " The journal could not store the id: " + a.visible(err)
	}
	return text, nil
}
