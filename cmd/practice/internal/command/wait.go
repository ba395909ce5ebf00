package command

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	practice "github.com/practicesdk/practice-go"
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
func (k *call) awaiting(ctx context.Context, p *plan, arguments map[string]any, deletes bool) {
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
		case deletes:
			until = practice.Gone()
		case err == nil:
			until = practice.Changed(record)
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

// created waits until the record that a response links to exists.
func created(ctx context.Context, client *practice.Client, answer []byte) error {
	var link models.Link
	if json.Unmarshal(answer, &link) != nil || link.Href == "" {
		return errors.New("the response has no link to a record to wait for")
	}
	_, err := practice.Await(ctx, practice.ReadLink[models.Object](client, &link), practice.Exists())
	return err
}
