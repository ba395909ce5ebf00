package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/operations"
)

// sample shows a use of one operation.
type sample struct {
	call     goCall
	command  string // "" if no command of the operation succeeds on a new sandbox
	request  string
	body     string
	status   int
	answer   string
	embedded bool // the response is that of the embedded service
}

// samplesOf returns a sample of each operation, by its id.
func samplesOf(ctx context.Context, d *description.Document, root fs.FS) (map[string]sample, error) {
	constants := constantsOf(d)
	commands, err := commandsOf(root)
	if err != nil {
		return nil, err
	}
	samples := map[string]sample{}
	for _, op := range operations.All() {
		s := sample{command: commands[op.ID]}
		if s.call, err = goCallOf(op, constants); err == nil {
			err = s.exchange(ctx, root, op)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w: run go run ./internal/cmd/newoperation -check %s", op.Name, err, op.ID)
		}
		if as := d.Operation(op.ID); as.Answer != nil && as.Answer.Ref != nil && as.OtherStatus == 0 && s.answer == "" {
			return nil, fmt.Errorf("practicetest: the handler of %s responds without a body, but api/ describes a %s\nreturn it: s.link(c, …) for a Link", op.ID, as.Answer)
		}
		samples[op.ID] = s
	}
	return samples, nil
}

// exchange sets the request and the response.
func (s *sample) exchange(ctx context.Context, root fs.FS, op operations.Operation) error {
	seen, err := exchangeOf(ctx, op)
	if err != nil {
		return err
	}
	answer, err := recordedAnswer(root, op.ID)
	if err != nil {
		return err
	}
	if answer == nil {
		answer, s.embedded = seen.answer, true
	}
	s.request, s.status = seen.request, seen.status
	if s.body, err = shown(seen.body); err == nil {
		s.answer, err = shown(answer)
	}
	return err
}

// recordedAnswer returns the recorded response of an operation with every
// member, or nil.
func recordedAnswer(root fs.FS, id string) ([]byte, error) {
	for _, folder := range []string{"api/samples/responses", "models/testdata/responses"} {
		text, err := fs.ReadFile(root, path.Join(folder, id+".full.json"))
		if !errors.Is(err, fs.ErrNotExist) {
			return text, err
		}
	}
	return nil, nil
}

// shown returns a body in the form for a page: JSON with one record of a list,
// or "" for other contents.
func shown(body []byte) (string, error) {
	if !json.Valid(body) {
		return "", nil
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	v, err := nextValue(decoder)
	if err != nil {
		return "", err
	}
	return v.short().lines("", 0), nil
}

func (p *page) sample(s sample) {
	p.line("```go\n%s\n```\n", s.call.text)
	if s.command != "" {
		p.line("```sh\n%s\n```\n", shellLines(s.command))
	}
	request := s.request
	if s.body != "" {
		request += "\n\n" + s.body
	}
	p.line("```http\n%s\n```\n", request)
	switch from := map[bool]string{true: " from the embedded service"}[s.embedded]; {
	case s.answer != "":
		p.line("Answer %d%s:\n\n```json\n%s\n```\n", s.status, from, s.answer)
	default:
		p.line("Answer %d, without JSON.\n", s.status)
	}
}
