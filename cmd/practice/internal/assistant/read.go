package assistant

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	practice "github.com/practicesdk/practice-go"
)

// errHidden reports a record of another matter than the only one.
var errHidden = errors.New("the record does not belong to the matter that the assistant can access")

// record calls a read and returns its record as the assistant may see it.
func (a *Assistant) record(ctx context.Context, o practice.Operation, arguments map[string]any, body any) ([]byte, error) {
	arguments, err := a.Policy.bound(o, arguments)
	if err != nil {
		return nil, err
	}
	var text []byte
	if err := a.client.Call(ctx, o.ID, arguments, body, &text); err != nil {
		return nil, err
	}
	if !a.Policy.shows(o, text) {
		return nil, errHidden
	}
	return a.cleaner.clean(text, kindOf(o))
}

// kindOf returns the type of the records of an operation; nil: unknown.
func kindOf(o practice.Operation) reflect.Type {
	kind := reflect.TypeOf(o.NewAnswer())
	if kind == nil || o.Answer == "models.FolderListingPage" { // whose entries are folders and files
		return nil
	}
	return kind.Elem()
}

// read is the tool that returns one record.
func (a *Assistant) read(ctx context.Context, in *input) (string, error) {
	o, err := a.reading(in.Operation)
	if err == nil && lists(o) {
		err = errors.New(o.ID + " returns a list: call list instead")
	}
	if err != nil {
		return "", err
	}
	text, err := a.record(permitted(ctx, &permit{}, maxRequests), o, in.Arguments, bodyOf(in.Body))
	if err != nil {
		return "", err
	}
	return part([]rune(string(text)), in.Offset)
}

// page is a part of a list.
type page struct {
	records  []string // as the assistant may see them
	next     int      // position of the next record; 0: the list was read to its end
	hidden   int      // records that were left out because they are of another matter
	cut      bool     // whether the first record is longer than the room for all
	withheld error    // why the list ended early; nil: it did not
}

// listed reads a part of a list: at most some records and characters from a
// position.
func (a *Assistant) listed(ctx context.Context, o practice.Operation, arguments map[string]any, body any, from, most, characters int) (p page, err error) {
	if arguments, err = a.Policy.bound(o, arguments); err != nil {
		return p, err
	}
	arguments, skip := positioned(o, arguments, from, most)
	at := from
	if skip > 0 {
		at = 0
	}
	for text, err := range a.client.CallAll(ctx, o.ID, arguments, body) {
		if _, unreadable := errors.AsType[*practice.RecordError](err); err != nil && !unreadable {
			if len(p.records) == 0 {
				return p, err
			}
			p.withheld, p.next = err, at
			return p, nil
		}
		if at++; at <= skip {
			continue
		}
		if len(p.records) >= most || characters <= 0 {
			p.next = at - 1
			return p, nil
		}
		switch cleaned, failed := a.cleaner.clean(text, kindOf(o)); {
		case err != nil || failed != nil:
			p.records = append(p.records, `"unreadable record"`)
		case !a.Policy.shows(o, text):
			p.hidden++
		case len(cleaned) > characters && len(p.records) > 0:
			p.next = at - 1
			return p, nil
		default:
			shown, more := cut(string(cleaned), characters)
			p.records, p.cut, characters = append(p.records, shown), p.cut || more, characters-len(shown)
		}
	}
	return p, nil
}

// positioned returns the arguments with a position and a size of the page, or
// the number of records to skip if the list has no pages.
func positioned(o practice.Operation, arguments map[string]any, from, most int) (map[string]any, int) {
	placed := map[string]any{}
	for name, value := range arguments {
		if !strings.EqualFold(name, "offset") && !strings.EqualFold(name, "limit") {
			placed[name] = value
		}
	}
	skip := from
	for _, p := range o.Parameters {
		switch strings.ToLower(p.Name) {
		case "offset":
			placed[p.Name], skip = from, 0
		case "limit":
			placed[p.Name] = min(most+1, practice.MaxPageSize) // one more shows whether the list goes on
		}
	}
	return placed, skip
}

// list is the tool that returns records of a list.
func (a *Assistant) list(ctx context.Context, in *input) (string, error) {
	o, err := a.reading(in.Operation)
	if err == nil && !lists(o) {
		err = errors.New(o.ID + " returns one record: call read instead")
	}
	if err != nil {
		return "", err
	}
	from, of := 0, in.listed()
	if in.Cursor != "" {
		place, list, _ := strings.Cut(in.Cursor, "-")
		if from, err = strconv.Atoi(place); err != nil || from < 0 || from > practice.MaxOffset || list != of {
			return "", errors.New("cursor must come from a previous result for the same operation and arguments")
		}
	}
	if in.Limit < 0 || in.Limit > maxRecords {
		return "", fmt.Errorf("limit must be between 1 and %d", maxRecords)
	}
	if in.Limit == 0 {
		in.Limit = fewRecords
	}
	p, err := a.listed(permitted(ctx, &permit{}, maxRequests), o, in.Arguments, bodyOf(in.Body), from, in.Limit, maxText)
	if err != nil {
		return "", err
	}
	return a.note(p, of) + data("["+strings.Join(p.records, ",\n")+"]"), nil
}

// listed returns a text that identifies the list, for its cursors.
func (in *input) listed() string {
	arguments, _ := json.Marshal(in.Arguments) // it was decoded from JSON
	return digest(in.Operation, string(arguments), string(in.Body))[:8]
}

// note returns the size of a page, and whether the list goes on after it. of
// identifies a list that can be read on with a cursor.
func (a *Assistant) note(p page, of string) string {
	text := fmt.Sprintf("%d records", len(p.records))
	if p.hidden > 0 {
		text += fmt.Sprintf("; %d records of other matters were omitted", p.hidden)
	}
	if p.cut {
		text += ". The record is too long; only its beginning is shown. To read all of it, call read"
	}
	if p.withheld != nil {
		text += ". The list ended early: " + a.visible(p.withheld)
	}
	switch {
	case p.next > 0 && of == "":
		text += ". There are more; to narrow the search, add words"
	case p.next > 0:
		text += fmt.Sprintf(". The list continues. Pass cursor %d-%s to read more", p.next, of)
	default:
		text += ". This is the end of the list"
	}
	return text + ".\n"
}

// find is the tool that looks for matters, contacts and staff by a text.
func (a *Assistant) find(ctx context.Context, in *input) (string, error) {
	if strings.TrimSpace(in.Text) == "" {
		return "", errors.New("text must not be empty")
	}
	ctx = permitted(ctx, &permit{}, maxRequests)
	var notes, found strings.Builder
	for _, id := range []string{"listMatters", "listContacts", "listStaff"} {
		o, _ := a.Policy.named(id)
		kind := strings.ToLower(strings.TrimPrefix(id, "list"))
		p, err := a.listed(ctx, o, map[string]any{"Search": in.Text}, nil, 0, fewRecords, maxText/3)
		if err != nil {
			fmt.Fprintf(&notes, "%s: %s\n", kind, a.visible(err))
			continue
		}
		fmt.Fprintf(&notes, "%s: %s", kind, a.note(p, ""))
		fmt.Fprintf(&found, "%s: [%s]\n", kind, strings.Join(p.records, ",\n"))
	}
	return notes.String() + data(found.String()), nil
}
