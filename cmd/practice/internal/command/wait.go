package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/cmd/practice/internal/readers"
	"github.com/practicesdk/practice-go/cmd/practice/internal/rows"
	"github.com/practicesdk/practice-go/models"
)

// reader returns the operation that reads the written record, if there is one.
func (k *call) reader() (practice.Operation, bool) {
	reader, found := k.readers.At(k.operation.Path)
	return reader, found && reader.AnswerForm == practice.AnswerRecord
}

// canWait reports whether the effect of the operation can be seen: it changes a
// record that can be read, or creates one, whose path has a GET if it is known.
func (k *call) canWait() bool {
	o := k.operation
	_, readable := k.reader()
	readable = readable && o.ID != "removePaymentMethod" // it stays one of the account
	if o.Method == http.MethodPost && o.Answer == "models.Link" {
		_, read := k.created()
		readable = read || !slices.ContainsFunc(k.operations, func(other practice.Operation) bool {
			return strings.HasPrefix(other.Path, o.Path+"/{") && strings.Count(other.Path, "/") == strings.Count(o.Path, "/")+1
		})
	}
	return o.Class != practice.OperationRead && o.Async && readable
}

// awaiting adds to the plan of a write the wait until it is visible: a created
// record exists, a changed one is as the write makes it, or a deleted one is
// gone.
func (k *call) awaiting(ctx context.Context, p *plan, args []string, arguments map[string]any, body []byte) {
	if k.operation.Class == practice.OperationCreate && k.operation.Method == http.MethodPost {
		p.after = func(answer []byte) error { return k.exists(ctx, p.client, args, arguments, answer) }
		return
	}
	w := k.writeOf(arguments, body)
	look := func(ctx context.Context) (rows.View, error) { return k.look(ctx, p.client, arguments, w) }
	var was rows.View
	p.before = func() (err error) {
		was, err = look(ctx)
		return err
	}
	p.after = func([]byte) error {
		_, err := practice.Await(ctx, look, since(was, func() { k.note("The record already had the requested values before the write, and it still has them.") }))
		return err
	}
}

// created returns the operation that reads a created record.
func (k *call) created() (practice.Operation, bool) {
	reader, found := k.readers.At(k.operation.Path + "/{}")
	return reader, found && reader.AnswerForm == practice.AnswerRecord
}

// readCreated reads a created record by its id.
func (k *call) readCreated(ctx context.Context, client *practice.Client, arguments map[string]any, id string) error {
	reader, _ := k.created()
	in, names := readers.Arguments(reader, k.operation, arguments), readers.Parameters(reader.Path)
	in[names[len(names)-1]] = id
	return client.Call(ctx, reader.ID, in, nil, new([]byte))
}

// steadyFor is how long a record has to stay as a write asked for that changes
// nothing. One read cannot tell, because it may be older than a former write.
const steadyFor = 1500 * time.Millisecond

// since returns a condition that holds when the effect of a write is visible; was
// is the view of the record before it. A record that already had the values sent
// may never change. It must then keep them for a while, and since calls kept.
func since(was rows.View, kept func()) practice.Condition {
	var accepted time.Time
	return practice.When(func(now rows.View) bool {
		if accepted.IsZero() {
			accepted = time.Now()
		}
		if now.Since(was) {
			return true
		}
		steady := was.Shows && now.Version == was.Version && time.Since(accepted) >= steadyFor
		if steady {
			kept()
		}
		return steady
	})
}

// writeOf returns what the operation does to its record. A body that repeats
// the path asks for nothing.
func (k *call) writeOf(arguments map[string]any, body []byte) rows.Write {
	sent, _ := rows.SentBy(k.operation.Method, new(url.URL), body)
	if asked, _ := sent.Body.(map[string]any); asked != nil {
		for name, value := range arguments {
			if strings.EqualFold(fmt.Sprint(value), fmt.Sprint(asked[name])) {
				delete(asked, name)
			}
		}
	}
	return rows.WriteOf(k.operation, body, sent.Body)
}

// look reads the record that a write changes.
func (k *call) look(ctx context.Context, client *practice.Client, arguments map[string]any, w rows.Write) (rows.View, error) {
	reader, _ := k.reader()
	var text []byte
	err := client.Call(ctx, reader.ID, readers.Arguments(reader, k.operation, arguments), nil, &text)
	if err != nil {
		if errors.Is(err, practice.ErrNotFound) {
			err = nil
		}
		return w.View(nil, false), err
	}
	record, err := rows.Decode(text)
	typed := reader.NewAnswer()
	if err == nil {
		err = json.Unmarshal(text, typed)
	}
	return w.View(record, practice.IsDeleted(typed)), err
}

// exists waits until the record exists that a response names by its id or a
// link.
func (k *call) exists(ctx context.Context, client *practice.Client, args []string, arguments map[string]any, answer []byte) error {
	read := func(ctx context.Context) (bool, error) {
		return true, k.readCreated(ctx, client, arguments, idOf(answer))
	}
	if reader, found := k.created(); !found || idOf(answer) == "" {
		var link models.Link
		if json.Unmarshal(answer, &link) != nil || link.Href == "" {
			return errors.New("the response does not contain a link to the record to wait for")
		}
		read = func(ctx context.Context) (bool, error) {
			return true, client.Follow(ctx, link, new(models.Object))
		}
	} else {
		k.wrote.look = k.calling(reader, append(slices.Clip(args), idOf(answer)))
	}
	_, err := practice.Await(ctx, read, practice.Exists())
	return err
}

// idOf returns the id of a record in the response of a create, or "".
func idOf(answer []byte) string {
	var link models.Link
	if json.Unmarshal(answer, &link) == nil && link.TargetID() != "" {
		return link.TargetID()
	}
	var record struct{ ID string }
	_ = json.Unmarshal(answer, &record) // another response has none
	return record.ID
}
