package practice

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"hash/fnv"
	"io"
	"iter"
	"net/http"
	"net/url"
	"reflect"
	"strconv"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/internal/paging"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

// pagedList is how areas name a list. Its methods have a pointer as their receiver, so
// that each is compiled once for a type.
type pagedList[T any] = *typedList[T]

// typedList describes a list of records of type T once for its two methods: the
// List method reads one page, and the All method walks over all of them. Its
// methods do no more than T needs: all else is compiled once, with untypedList.
type typedList[T any] struct{ list *untypedList }

// untypedList is a list but for the type of its records.
type untypedList struct {
	operation
	all string           // name of the All method
	key func(any) string // what tells a record, given by a pointer, from the others; empty when nothing does

	siblings []string // literal segments of other operations in the place of the first id

	names paging.Names // of the paging parameters
	plain bool         // the list declares no paging parameters
	body  any          // of the request for a page; nil for none
	// read takes the page that begins at an offset out of an answer.
	read func(o outcome, offset int) (*paging.Page, error)
}

// paged is a list with the parameters Offset and Limit, and the names of its
// List and All methods. An area calls it in a function rather than for a
// variable: a variable would bring the records of all lists into every program.
func paged[T any](list, all, path string, key func(*T) string, unlike ...func(*untypedList)) pagedList[T] {
	return &typedList[T]{newUntypedList(list, all, path, func(record any) string { return key(record.(*T)) }, unlike)}
}

func newUntypedList(list, all, path string, key func(any) string, unlike []func(*untypedList)) *untypedList {
	l := &untypedList{operation: operation{list, http.MethodGet, path, transport.Read}, all: all, key: key, names: upperNames, read: readCollection}
	for _, differs := range unlike {
		differs(l)
	}
	return l
}

// withoutPosition is for a list that declares no paging parameters: the first page
// is requested without, the others as their links say.
func withoutPosition(l *untypedList) { l.plain = true }

// beside is for a list whose first id stands where other operations have literal
// segments.
func beside(siblings []string) func(*untypedList) {
	return func(l *untypedList) { l.siblings = siblings }
}

// byPost is for a list that is asked for with a body, a pointer.
func byPost(body any) func(*untypedList) {
	return func(l *untypedList) { l.method, l.body = http.MethodPost, body }
}

// textMember is the key of records that have no type: a member of theirs.
func textMember(name string) func(*models.Object) string {
	return func(o *models.Object) string {
		text, _ := o.Get(name)
		return string(text)
	}
}

var (
	upperNames = paging.Names{Offset: "Offset", Limit: "Limit"}
	lowerNames = paging.Names{Offset: "offset", Limit: "limit"}
)

// listOptions are the options of a list: ListOptions, alone or embedded beside
// filters.
type listOptions interface {
	position() ListOptions
	filter(*call)
}

func (o ListOptions) position() ListOptions { return o }

// filter is replaced by options that have filters.
func (ListOptions) filter(*call) {}

// page reads one page. The ids are those of the path, in its order.
func (l *typedList[T]) page(ctx context.Context, client *Client, options listOptions, opts []CallOption, ids ...string) (*Page[T], error) {
	return list[T](l.list.callForPage(ctx, client, options, opts, ids))
}

func (l *untypedList) callForPage(ctx context.Context, client *Client, options listOptions, opts []CallOption, ids []string) *call {
	c := l.call(ctx, client, options, opts, ids)
	c.check("WithPosition", reasonIf(c.settings.position != nil, "is for All methods: ListOptions has the offset of a page"))
	c.page(l.names, options.position())
	return c
}

// call prepares the call for a page, but for the position of the page.
func (l *untypedList) call(ctx context.Context, client *Client, options listOptions, opts []CallOption, ids []string) *call {
	c := client.call(ctx, l.operation, opts)
	c.pathIDs(ids, l.siblings)
	options.filter(c)
	if l.body != nil {
		c.json(l.body)
	}
	return c
}

// walk yields the records of all pages.
func (l *typedList[T]) walk(ctx context.Context, client *Client, options listOptions, opts []CallOption, ids ...string) iter.Seq2[T, error] {
	walk := l.list.walk(ctx, client, options, opts, ids)
	return func(yield func(T, error) bool) {
		record := new(T)
		walk(record, func(err error) bool {
			if err != nil {
				return yield(*new(T), err)
			}
			return yield(*record, nil)
		})
	}
}

// walk reads the records of all pages, one after the other, into what record
// points to.
func (l untypedList) walk(ctx context.Context, client *Client, options listOptions, opts []CallOption, ids []string) func(record any, yield func(error) bool) {
	l.name = l.all
	position := options.position()
	return func(record any, yield func(error) bool) {
		client.observers.walk(ctx, l.all, yield, func(ctx context.Context, yield func(error) bool) {
			first := l.call(ctx, client, options, opts, ids)
			first.refuseForWalk()
			first.checkPage(l.names, position)
			if first.err != nil {
				yield(first.err)
				return
			}
			w := paging.Walk{
				Key: l.key, Names: l.names, Owns: first.hasParam, Failure: first.pagingError, Plain: l.plain,
				Offset: position.Offset, Limit: cmp.Or(position.Limit, MaxPageSize), Largest: MaxOffset,
				Prefetch: first.settings.prefetch,
			}
			first.resume(&w)
			if first.err != nil {
				yield(first.err)
				return
			}
			w.Fetch = func(ctx context.Context, at paging.Position) (*paging.Page, error) {
				c := l.call(ctx, client, options, opts, ids)
				c.pageAt(l.names, at, w.Limit)
				return fetchPage(c, at, l.read)
			}
			w.Run(ctx, record, yield)
		})
	}
}

// fetchPage sends the call for a page of a walk.
func fetchPage(c *call, at paging.Position, read func(outcome, int) (*paging.Page, error)) (*paging.Page, error) {
	c.listing = true
	o, err := c.exchange()
	var page *paging.Page
	if err == nil {
		page, err = read(o, at.Offset)
	}
	if err != nil {
		c.finish(o, err)
		return nil, err
	}
	page.RequestID = c.settings.requestID
	if w := c.observer; w != nil && w.aggregate != nil {
		page.Records = w.aggregate.hold(w, w.ending(&c.sent, o.status(), c.found, nil), &c.found, page.Records)
	}
	return page, nil
}

// refuseForWalk refuses the options that make sense for a single request
// only.
func (c *call) refuseForWalk() {
	c.check("WithRequestID", reasonIf(c.settings.requestID != "", "is for single calls: each page is a request of its own"))
	c.check("WithResponse", reasonIf(c.settings.response != nil, "is for single calls: list pages to see their responses"))
}

func (c *call) pagingError(requestID string, offset int, reason error) error {
	return &PagingError{Operation: c.op.name, RequestID: requestID, Offset: offset, Err: reason}
}

// page takes the position of the page that a List method asks for; 0 leaves it
// to the service.
func (c *call) page(names paging.Names, position ListOptions) {
	c.checkPage(names, position)
	if position.Offset > 0 {
		c.param(names.Offset, strconv.Itoa(position.Offset))
	}
	if position.Limit > 0 {
		c.param(names.Limit, strconv.Itoa(position.Limit))
	}
}

func (c *call) checkPage(names paging.Names, position ListOptions) {
	c.check(names.Offset, badOffset(position.Offset))
	c.check(names.Limit, badLimit(position.Limit))
}

// pageAt takes the position of a page of a walk, which goes out in full.
func (c *call) pageAt(names paging.Names, at paging.Position, limit int) {
	if at.Plain {
		return
	}
	c.params(at.Query)
	c.param(names.Offset, strconv.Itoa(at.Offset))
	c.param(names.Limit, strconv.Itoa(limit))
}

// resume takes the position of an earlier walk, and keeps that of this one.
func (c *call) resume(w *paging.Walk) {
	at := c.settings.position
	if at == nil {
		return
	}
	_, err := url.ParseQuery(at.Query)
	list := c.identity()
	c.check("WithPosition", reasonIf(at.Method != "" && at.Method != c.op.name, "is a position of "+at.Method))
	c.check("WithPosition", reasonIf(badOffset(at.Offset) != "" || at.Done < 0 || at.Size < 0 || err != nil, "is no position of a walk"))
	c.check("WithPosition", reasonIf(at.Method == c.op.name && at.List != list, "is of a list with other ids or filters"))
	if at.Method != "" {
		w.From = &paging.Mark{Position: paging.Position{Offset: at.Offset, Query: at.Query}, Done: at.Done, Size: at.Size}
	}
	w.Passed = func(mark paging.Mark) {
		*at = WalkPosition{c.op.name, list, mark.Offset, mark.Query, mark.Done, mark.Size}
	}
}

// identity tells the list from others of the method: its path, with the account, its
// filters, and the body of its request. It is a hash because a position is stored.
func (c *call) identity() string {
	hash := fnv.New128a()
	target := c.requestURL()
	for _, part := range []string{target.EscapedPath(), target.RawQuery, string(c.body)} {
		_, _ = io.WriteString(hash, part+"\n") // it cannot fail
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// list sends the call and reads one page. Records that could not be read are
// reported in the error; the page with all others is returned beside it.
func list[T any](c *call) (*Page[T], error) {
	page := new(Page[T])
	read, err := c.list(page, &page.Response, &page.Paging, &page.Items)
	if !read {
		return nil, err
	}
	return page, err
}

// list reads a page, whose parts are given beside it: items is a pointer to the list.
func (c *call) list(page any, response *Response, position *models.Paging, items any) (read bool, err error) {
	err = c.runPage(func(o outcome) error {
		list := reflect.ValueOf(items).Elem()
		faults, err := o.decode(page)
		if err == nil {
			err = o.unlisted(!list.IsNil(), 0, position)
		}
		if err != nil {
			return err
		}
		o.answer.Release()
		*response = o.response()
		c.applyVendorPrefixes(list)
		read, c.found.records = true, list.Len()
		return errors.Join(c.recordErrors(faults, position.Offset.Or(0))...)
	})
	return read, err
}

// readCollection reads a page of a list but for its records, whose type does not
// matter then.
func readCollection(o outcome, offset int) (*paging.Page, error) {
	page := new(Page[models.Object])
	return readPage(o, offset, page, &page.Paging)
}

// readPage reads a page, whose position is given beside it, but for its records,
// which are decoded as they are consumed.
func readPage(o outcome, offset int, page any, position *models.Paging) (*paging.Page, error) {
	text, err := o.text()
	if err != nil {
		return nil, err
	}
	elements, err := codec.DecodeAround(text, page, models.Wire)
	if err != nil {
		return nil, o.unreadable(err)
	}
	if err := o.unlisted(elements.Found(), offset, position); err != nil {
		return nil, err
	}
	return &paging.Page{Records: &lazyRecords{Elements: elements, from: o, offset: offset}, Paging: *position}, nil
}

// unlisted refuses an answer to a read in which there is no list, not even an empty
// one: a service that is not at its work says so in an object of its own, which would
// pass for the end of the list. Only a size that leaves no room for records says that
// there are none. A write has been executed, whatever it answers.
func (o outcome) unlisted(listed bool, offset int, position *models.Paging) error {
	size, told := position.Size.Get()
	if listed || o.call.op.class != transport.Read || told && size >= 0 && size <= max(offset, position.Offset.Or(0)) {
		return nil
	}
	return o.unreadable(noListError{})
}

// noListError is the cause of a DecodeError that tells what the page lacks.
type noListError struct{}

func (noListError) Error() string { return "there is no list in it" }

func (noListError) Unwrap() error { return ErrEmptyPage }

// lazyRecords are decoded one by one, from the text of their page.
type lazyRecords struct {
	*codec.Elements
	from   outcome
	offset int  // of the page
	failed bool // the text is part of an error, and stays
}

func (r *lazyRecords) Next(out any) (bool, []error, error) {
	read, faults, err := r.Elements.Next(out)
	if err != nil {
		r.failed = true
		return false, nil, r.from.unreadable(err)
	}
	r.from.call.applyVendorPrefix(out)
	return read, r.from.call.recordErrors(faults, r.offset), nil
}

func (r *lazyRecords) Release() {
	r.Rest()
	if !r.failed {
		r.from.answer.Release()
	}
}
