package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

// reader returns the operation that reads the written record, if there is one.
func (k *call) reader() (practice.Operation, bool) {
	all := practice.Operations()
	i := slices.IndexFunc(all, func(o practice.Operation) bool {
		return o.Method == http.MethodGet && o.Path == k.operation.Path && o.AnswerForm == practice.AnswerRecord
	})
	if i < 0 {
		return practice.Operation{}, false
	}
	return all[i], true
}

// before returns the record before a write, for the comparison by --wait.
func (k *call) before(ctx context.Context, client *practice.Client, arguments map[string]any) []byte {
	reader, ok := k.reader()
	if !k.wait || k.dryRun || !ok {
		return nil
	}
	var text []byte
	if client.Call(ctx, reader.ID, arguments, nil, &text) != nil {
		return nil // the write reports the problem
	}
	return text
}

// await waits until a write is visible: a created record exists, a changed one
// differs, or a deleted one is gone.
func (k *call) await(ctx context.Context, client *practice.Client, arguments map[string]any, answer, before []byte) error {
	if k.operation.Class == practice.OperationCreate {
		var link models.Link
		if json.Unmarshal(answer, &link) != nil || link.Href == "" {
			return errors.New("accepted, but the answer does not link to a record that could be awaited")
		}
		_, err := practice.Await(ctx, practice.ReadLink[models.Object](client, &link), practice.Exists())
		return err
	}
	reader, ok := k.reader()
	if !ok || before == nil {
		return fmt.Errorf("accepted, but %s has no record that could be awaited", k.operation.ID)
	}
	read := func(ctx context.Context) (string, error) {
		var text []byte
		err := client.Call(ctx, reader.ID, arguments, nil, &text)
		return string(text), err
	}
	until := practice.When(func(now string) bool { return now != string(before) })
	_, err := practice.Await(ctx, read, until)
	if k.operation.Method == http.MethodDelete && errors.Is(err, practice.ErrNotFound) {
		return nil
	}
	return err
}

// joined joins two errors. A single error is returned unchanged.
func joined(first, second error) error {
	if second == nil {
		return first
	}
	return errors.Join(first, second)
}
