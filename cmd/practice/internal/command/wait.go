package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/cmd/practice/internal/rows"
	"github.com/practicesdk/practice-go/internal/members"
	"github.com/practicesdk/practice-go/models"
)

// reader returns the operation that reads the written record, if there is one.
func (k *call) reader() (practice.Operation, bool) {
	reader, found := k.reading(k.operation.Path)
	return reader, found && reader.AnswerForm == practice.AnswerRecord
}

// canWait reports whether the effect of the operation can be seen: it changes a
// record that can be read, or creates one, whose path has a GET if it is known.
func (k *call) canWait() bool {
	o := k.operation
	_, readable := k.reader()
	readable = readable && o.ID != "removePaymentMethod" // it stays one of the account
	if o.Method == http.MethodPost && o.Answer == "models.Link" {
		_, read := k.reading(o.Path + "/{}")
		readable = read || !slices.ContainsFunc(k.operations, func(other practice.Operation) bool {
			return strings.HasPrefix(other.Path, o.Path+"/{") && strings.Count(other.Path, "/") == strings.Count(o.Path, "/")+1
		})
	}
	return o.Class != practice.OperationRead && o.Async && readable
}

// awaiting adds to the plan of a write the wait until it is visible: a created
// record exists, a changed one differs, or a deleted one is gone.
func (k *call) awaiting(ctx context.Context, p *plan, arguments map[string]any, body []byte) {
	reader, _ := k.reader()
	if k.operation.Class == practice.OperationCreate && k.operation.Method == http.MethodPost {
		p.after = func(answer []byte) error { return created(ctx, p.client, answer) }
		return
	}
	read := func(ctx context.Context) (record json.RawMessage, err error) {
		err = p.client.Call(ctx, reader.ID, arguments, nil, (*[]byte)(&record))
		return record, err
	}
	until := practice.Exists()
	p.before = func() error {
		record, err := read(ctx)
		switch {
		case k.operation.Deletes(body):
			until = practice.Gone()
		case err == nil:
			until = k.changed(arguments, body, record)
		}
		if errors.Is(err, practice.ErrNotFound) {
			return nil // the write tells what that means
		}
		return err
	}
	p.after = func([]byte) error {
		_, err := practice.Await(ctx, read, until)
		return err
	}
}

// steadyFor is how long a record has to stay as a write asked for that changes
// nothing. One read cannot tell, because it may be older than a former write.
const steadyFor = 1500 * time.Millisecond

// changed waits until the record differs from before. A record that was as the
// body makes it may never differ: it then has to stay so.
func (k *call) changed(arguments map[string]any, body []byte, before json.RawMessage) practice.Condition {
	asked := k.asked(arguments, body)
	was := k.view(asked, before)
	if !was.Shows {
		return practice.Changed(before)
	}
	var accepted time.Time
	return practice.When(func(record json.RawMessage) bool {
		if accepted.IsZero() {
			accepted = time.Now()
		}
		now := k.view(asked, record)
		steady := now.Version == was.Version
		if !now.Shows || steady && time.Since(accepted) < steadyFor {
			return false
		}
		if steady {
			k.note("The record already had the requested values before the write, and it still has them.")
		}
		return true
	})
}

// asked returns the members of a body without those that repeat the path, or
// nil if it is no object with members.
func (k *call) asked(arguments map[string]any, body []byte) map[string]any {
	sent, _ := rows.SentBy(k.operation.Method, new(url.URL), body)
	asked, _ := sent.Body.(map[string]any)
	if len(asked) == 0 {
		return nil
	}
	for name, value := range arguments {
		if strings.EqualFold(fmt.Sprint(value), fmt.Sprint(asked[name])) {
			delete(asked, name)
		}
	}
	return asked
}

// view compares a record with what was asked for. It shows nothing of a PUT that
// clears a member.
func (k *call) view(asked map[string]any, record json.RawMessage) rows.View {
	there, err := rows.Decode(record)
	if err != nil || asked == nil {
		return rows.View{}
	}
	v := rows.ViewOf(k.operation.Method, asked, there, false)
	v.Shows = v.Shows && (k.operation.Method != http.MethodPut ||
		!slices.ContainsFunc(members.Of(plainType(reflect.TypeOf(k.operation.NewBody())).Name()), func(m members.Member) bool { return v.Clears(asked, m.Name) }))
	return v
}

// created waits until the record that a response links to exists.
func created(ctx context.Context, client *practice.Client, answer []byte) error {
	var link models.Link
	if json.Unmarshal(answer, &link) != nil || link.Href == "" {
		return errors.New("the response does not contain a link to the record to wait for")
	}
	_, err := practice.Await(ctx, practice.ReadLink[models.Object](client, &link), practice.Exists())
	return err
}
