package practice

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/internal/paging"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

// Call calls an operation by its operationId, as its method would. arguments
// are the path and query parameters by their documented names, such as matterId
// and Limit. A value is a string for any kind, or a number, a bool, a
// time.Time, a models.Date, or a slice of these for a parameter with several
// values, also as decoded from JSON; nil, and a paging parameter of 0, are left
// out. Call sends any id that fits into a path, and values that are not
// documented. A string for a time has the form of RFC 3339; without a zone it
// is in UTC, without a time of day it is midnight.
//
// body is the record that the method takes, a pointer to it, or its JSON text
// as a json.RawMessage or []byte; Call refuses text with a member that would
// not be sent. Call decodes the response into out, as Do does; a list is
// decoded into a pointer to a Page. An element that is no record is a
// *RecordError, and remains in a list that is read as text. For an invalid
// argument or body, Call sends nothing and returns an *ArgumentError that names
// the parameter or the member. [Operations] lists the operations.
func (c *Client) Call(ctx context.Context, id string, arguments map[string]any, body, out any, opts ...CallOption) error {
	o, prepared := c.named(ctx, id, opts)
	prepared.arguments(o, arguments)
	prepared.namedBody(o, body)
	prepared.anyOut(out)
	prepared.accept = mediaOf(o)
	prepared.listing = o.AnswerForm == AnswerPages
	return prepared.do(func(r result) error {
		if o.Media == mediaPDF && checkPDF(r.answer.Body) != nil {
			return r.unreadable(ErrNotPDF)
		}
		var odd []error
		if o.lists() && o.Answer != folderListing {
			page, err := readCollection(r, 0)
			if err != nil {
				return err
			}
			if _, reported := models.Wire.Record(out); out != nil && !reported {
				odd = elementErrors(page.Records)
			}
		}
		if out != nil && o.AnswerForm == AnswerRecord && o.Class == OperationRead {
			if err := r.shows(o.NewAnswer()); err != nil {
				return err
			}
		}
		return errors.Join(append(odd, r.readAny(out))...)
	})
}

// elementErrors returns the errors of the elements that are no records.
func elementErrors(records paging.Records) (odd []error) {
	for range records.Len() {
		_, faults, err := records.Next(new(rawRecord))
		odd = append(odd, faults...)
		if err != nil {
			return append(odd, err)
		}
	}
	return odd
}

// CallAll yields every record of an operation that returns a list, by its
// operationId, and detects an incomplete list like any All method. The paging
// parameters in arguments set where the walk begins and how many records a
// request asks for (0: 500). A list without pages is read by one request. Each
// record is JSON text, which json.Unmarshal decodes into a type of package
// models. For the entries of a folder, CallAll yields its folders and then its
// files.
func (c *Client) CallAll(ctx context.Context, id string, arguments map[string]any, body any, opts ...CallOption) iter.Seq2[json.RawMessage, error] {
	o, _ := c.named(ctx, id, nil)
	core := newListCore(o.GoMethod, cmp.Or(o.GoAll, o.GoMethod), o.Path, recordKey(o), nil)
	core.method, core.class, core.whole = o.Method, o.class(), o.AnswerForm == AnswerList
	core.plain = !o.takes(upperNames.Offset) && !o.takes(lowerNames.Offset)
	if o.takes(lowerNames.Offset) {
		core.names = lowerNames
	}
	if o.Answer == folderListing {
		core.read = readRawEntries
	}
	named := namedList{operation: o, id: id, arguments: maps.Clone(arguments), body: body}
	options := named.withPosition(core.names)
	return func(yield func(json.RawMessage, error) bool) {
		for record, err := range (&list[rawRecord]{core}).walk(ctx, c, options, opts) {
			if !yield(record.text, err) {
				return
			}
		}
	}
}

// rawRecord is the text of an element, which may be no object.
type rawRecord struct{ text json.RawMessage }

// UnmarshalJSON copies the text: each record keeps its own.
func (r *rawRecord) UnmarshalJSON(text []byte) error {
	r.text = bytes.Clone(text)
	return nil
}

// named returns an operation and the prepared call of it. If the operation is
// unknown, the call returns an error.
func (c *Client) named(ctx context.Context, id string, opts []CallOption) (*Operation, *call) {
	o, known := operationOf(id)
	if !known {
		o = &Operation{GoMethod: "Call"}
	}
	prepared := c.call(ctx, operation{o.GoMethod, o.Method, o.Path, o.class()}, opts)
	prepared.check("id", reasonIf(!known, "is not the id of an operation: "+strconv.Quote(id)))
	return o, prepared
}

func (o *Operation) class() transport.Class {
	switch o.Class {
	case OperationRead:
		return transport.Read
	case OperationIdempotentWrite:
		return transport.IdempotentWrite
	}
	return transport.Create
}

func (o *Operation) lists() bool { return o.AnswerForm == AnswerList || o.AnswerForm == AnswerPages }

// folderListing is the type of a record that contains entries of a folder.
const folderListing = "models.FolderListingPage"

func (o *Operation) takes(parameter string) bool {
	return slices.ContainsFunc(o.Parameters, func(p Parameter) bool { return p.Name == parameter })
}

func (o *Operation) takenNames() string {
	if len(o.Parameters) == 0 {
		return "none"
	}
	var names []string
	for _, p := range o.Parameters {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

func mediaOf(o *Operation) string {
	if o.Media == "" {
		return ""
	}
	return o.Media + ", application/problem+json"
}

// namedList holds the options of a list called by operationId.
type namedList struct {
	ListOptions
	operation *Operation
	id        string
	arguments map[string]any
	body      any
}

// withPosition moves the position from the arguments to the options.
func (n namedList) withPosition(names paging.Names) namedList {
	for name, field := range map[string]*int{names.Offset: &n.Offset, names.Limit: &n.Limit} {
		value, given := n.arguments[name]
		if !given {
			continue
		}
		text, reason := argumentText(KindInteger, value)
		if number, err := strconv.Atoi(text); reason == "" && err == nil {
			*field = number
			delete(n.arguments, name)
		}
	}
	return n
}

func (n namedList) filter(c *call) {
	o := n.operation
	c.check("id", reasonIf(o.ID == "", "is not the id of an operation: "+strconv.Quote(n.id)))
	c.check("id", reasonIf(o.ID != "" && !o.lists(), "is not an operation that returns a list"))
	c.arguments(o, n.arguments)
	c.namedBody(o, n.body)
}

// recordKey returns a function that returns the key of a record.
func recordKey(o *Operation) func(any) string {
	member := "id"
	switch o.Answer {
	case "models.MatterBalance", "models.MatterStage":
		member = "matter"
	case "models.Link":
		member = "href"
	case "models.SubscriptionChange":
		return func(any) string { return "" }
	}
	return func(record any) string {
		for name, value := range codec.Each(string(record.(*rawRecord).text)) {
			if name == member {
				return value
			}
		}
		return ""
	}
}

// readRawEntries reads the entries of a folder, as readEntries does.
func readRawEntries(r result, offset int) (*paging.Page, error) {
	page := new(Page[models.Object])
	if _, err := r.decode(page); err != nil {
		return nil, err
	}
	read, err := readEntries(r, offset)
	if err != nil {
		return nil, err
	}
	records := &paging.Decoded[rawRecord]{Faults: read.Records.(*paging.Decoded[Entry]).Faults, Done: r.answer.Release}
	faulty := map[string]bool{}
	for _, fault := range records.Faults {
		faulty[string(fault.Text)] = true
	}
	for _, member := range []string{"folders", "files"} {
		for _, listing := range page.Items {
			text, _ := listing.Get(member)
			for _, entry := range elements(text) {
				if !faulty[string(entry.text)] {
					records.Items = append(records.Items, entry)
				}
			}
		}
	}
	return &paging.Page{Records: records, Text: read.Text, Paging: read.Paging}, nil
}

// elements returns the elements of a list, or none of anything else.
func elements(text json.RawMessage) (all []rawRecord) {
	_ = json.Unmarshal(text, &all) // readEntries refuses a page with another value there
	return all
}

// arguments sets the path and query parameters.
func (c *call) arguments(o *Operation, arguments map[string]any) {
	c.untyped = o.newAnswer
	for _, name := range slices.Sorted(maps.Keys(arguments)) {
		c.check(name, reasonIf(!o.takes(name), "is not a parameter of "+o.ID+", which takes "+o.takenNames()))
	}
	for i := range o.Parameters {
		p := &o.Parameters[i]
		value, given := arguments[p.Name]
		given = given && value != nil && !isNil(value)
		c.check(p.Name, reasonIf(p.Required && !given, "is required"))
		switch {
		case p.In == InPath:
			text, reason := argumentText(p.Kind, value)
			c.check(p.Name, reason)
			c.id(p.Name, text)
		case given:
			c.queryArgument(p, value)
		}
	}
	c.checkQuery()
}

func (c *call) queryArgument(p *Parameter, value any) {
	values := []any{value}
	if v := reflect.ValueOf(value); v.Kind() == reflect.Slice {
		c.check(p.Name, reasonIf(!p.Repeated, "accepts only one value"))
		values = nil
		for i := range v.Len() {
			values = append(values, v.Index(i).Interface())
		}
	}
	for _, value := range values {
		c.oneArgument(p, value)
	}
}

func (c *call) oneArgument(p *Parameter, value any) {
	switch p.Kind {
	case KindInstant, KindTicks, KindLocalTime:
		at, reason := argumentTime(value)
		c.check(p.Name, cmp.Or(reason, reasonIf(at.IsZero(), "must not be the zero time, which would be omitted")))
		c.time(p.Kind, p.Name, at)
		return
	}
	text, reason := argumentText(p.Kind, value)
	c.check(p.Name, cmp.Or(reason, reasonIf(text == "", "must not be empty")))
	switch strings.ToLower(p.Name) {
	case "offset":
		c.check(p.Name, badOffset(positionOf(text)))
	case "limit":
		c.check(p.Name, badLimit(positionOf(text)))
	}
	if name := strings.ToLower(p.Name); text == "0" && (name == "offset" || name == "limit") {
		return // as the method does
	}
	c.addParam(p.Name, text)
}

// positionOf parses a number that argumentText has checked.
func positionOf(text string) int {
	number, err := strconv.Atoi(text)
	if err != nil {
		return -1 // out of every range, so that it is refused
	}
	return number
}

// argumentText returns an argument in the form in which it is sent, or why it
// cannot be sent.
func argumentText(kind ParameterKind, value any) (text, reason string) {
	switch v := reflect.ValueOf(value); {
	case v.Kind() == reflect.String:
		text = v.String()
	case v.CanInt():
		text = strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		text = strconv.FormatUint(v.Uint(), 10)
	case v.CanFloat() && kind == KindInteger: // as decoded from JSON
		text = strconv.FormatFloat(v.Float(), 'f', -1, 64)
	case v.Kind() == reflect.Bool:
		text = strconv.FormatBool(v.Bool())
	default:
		day, isDay := value.(models.Date)
		if !isDay {
			return "", mustBe(kind)
		}
		text = day.String()
	}
	fits := true
	switch kind {
	case KindInteger:
		_, err := strconv.ParseInt(text, 10, 64)
		fits = err == nil
	case KindBoolean:
		fits = text == "true" || text == "false"
	case KindDate:
		_, err := time.Parse(time.DateOnly, text)
		fits = err == nil
	}
	return text, reasonIf(!fits, mustBe(kind))
}

func mustBe(kind ParameterKind) string {
	switch kind {
	case KindInteger:
		return "must be an integer"
	case KindBoolean:
		return "must be true or false"
	case KindDate:
		return "must be a models.Date or a string such as 2026-12-31"
	}
	return "must be a string"
}

// argumentTime returns the time of an argument, or why it is invalid.
func argumentTime(value any) (at time.Time, reason string) {
	switch value := value.(type) {
	case time.Time:
		return value, ""
	case string:
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", time.DateOnly} {
			if at, err := time.Parse(layout, value); err == nil {
				return at, ""
			}
		}
	}
	return time.Time{}, "must be a time.Time or an RFC 3339 string"
}
