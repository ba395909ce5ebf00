package practice

import (
	"bytes"
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
	"strings"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/internal/headers"
	"github.com/practicesdk/practice-go/internal/paging"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

// list describes a list of records of type T for its two methods: List reads
// one page, All iterates over all pages. Only the parts that depend on T are
// compiled for every T; the rest is in listCore.
type list[T any] struct{ core *listCore }

// listCore is the part of a list that does not depend on its record type.
type listCore struct {
	operation
	all string           // name of the All method
	key func(any) string // returns the key of a record, given a pointer to it; "": no key

	names paging.Names // names of the paging parameters
	plain bool         // whether the list declares no paging parameters
	whole bool         // whether one response has the whole list
	body  any          // request body for a page; nil: none
	// read decodes the page that begins at offset from a response.
	read func(r result, offset int) (*paging.Page, error)
}

// paged returns a list with the parameters Offset and Limit, for the named List
// and All methods. An area calls it in a function: a package variable would
// link the records of all lists into every program.
func paged[T any](name, all, path string, key func(*T) string, opts ...func(*listCore)) *list[T] {
	return &list[T]{newListCore(name, all, path, func(record any) string { return key(record.(*T)) }, opts)}
}

func newListCore(name, all, path string, key func(any) string, opts []func(*listCore)) *listCore {
	l := &listCore{operation: operation{name, http.MethodGet, path, transport.Read}, all: all, key: key, names: upperNames, read: readCollection}
	for _, opt := range opts {
		opt(l)
	}
	return l
}

// withoutPosition makes a walk send no paging parameters: it requests the first
// page without them and the others by their links.
func withoutPosition(l *listCore) { l.plain = true }

// byPost sends a body, given by a pointer, with the request for a page.
func byPost(body any) func(*listCore) {
	return func(l *listCore) { l.method, l.body = http.MethodPost, body }
}

// textMember returns a key function for untyped records: the key is a member of
// the record.
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

// listOptions is implemented by ListOptions and by options that embed it beside
// filters.
type listOptions interface {
	position() ListOptions
	filter(*call)
}

func (o ListOptions) position() ListOptions { return o }

// filter does nothing; options with filters override it.
func (ListOptions) filter(*call) {}

// noOptions is embedded by options of a list that has none. With its own
// options type, a list can get options later without a change of its methods.
type noOptions struct{}

func (noOptions) position() ListOptions { return ListOptions{} }
func (noOptions) filter(*call)          {}

// page reads one page. The ids are the path parameters, in order.
func (l *list[T]) page(ctx context.Context, client *Client, options listOptions, opts []CallOption, ids ...string) (*Page[T], error) {
	return listPage[T](l.core.callForPage(ctx, client, options, opts, ids))
}

func (l *listCore) callForPage(ctx context.Context, client *Client, options listOptions, opts []CallOption, ids []string) *call {
	c := l.call(ctx, client, options, opts, ids)
	c.check("WithPosition", reasonIf(c.settings.position != nil, "applies only to methods that return an iterator: set Offset in ListOptions to read a single page"))
	c.page(l.names, options.position())
	return c
}

// call prepares the call for a page; the position is set later.
func (l *listCore) call(ctx context.Context, client *Client, options listOptions, opts []CallOption, ids []string) *call {
	c := client.call(ctx, l.operation, opts)
	c.at(ids...)
	options.filter(c)
	c.checkQuery()
	if l.body != nil {
		c.with(l.body)
	}
	return c
}

// again prepares next for another page, without reading again what the caller
// gave and may change meanwhile.
func (c *call) again(next *call) *call {
	next.op.class, next.ids, next.query = c.op.class, c.ids, url.Values(http.Header(c.query).Clone())
	next.body, next.bodyOf = c.body, c.bodyOf
	next.free, next.untyped = c.free, c.untyped
	return next
}

// walk yields the records of all pages.
func (l *list[T]) walk(ctx context.Context, client *Client, options listOptions, opts []CallOption, ids ...string) iter.Seq2[T, error] {
	walk := l.core.walk(ctx, client, options, opts, ids)
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

// walk decodes the records of all pages, one at a time, into *record.
func (l listCore) walk(ctx context.Context, client *Client, options listOptions, opts []CallOption, ids []string) func(record any, yield func(error) bool) {
	l.name = l.all
	position := options.position()
	return func(record any, yield func(error) bool) {
		client.observers.walk(ctx, l.all, yield, func(ctx context.Context, yield func(error) bool) {
			first := l.call(ctx, client, options, opts, ids)
			if !l.whole {
				first.refuseForWalk()
			}
			first.checkPage(l.names, position)
			if first.err != nil {
				yield(first.err)
				return
			}
			w := paging.Walk{
				Key: l.key, Names: l.names, Owns: first.hasParam, Failure: first.endOfWalk, Plain: l.plain, Whole: l.whole,
				Offset: position.Offset, Limit: cmp.Or(position.Limit, MaxPageSize), Largest: MaxOffset,
				Prefetch: first.settings.prefetch,
			}
			first.resume(&w)
			if first.err != nil {
				yield(first.err)
				return
			}
			w.Fetch = func(ctx context.Context, at paging.Position) (*paging.Page, error) {
				c := first.again(client.call(ctx, l.operation, opts))
				c.pageAt(l.names, at, w.Limit)
				return fetchPage(c, at, l.read)
			}
			w.Run(ctx, record, yield)
		})
	}
}

// fetchPage sends the call for a page of a walk.
func fetchPage(c *call, at paging.Position, read func(result, int) (*paging.Page, error)) (*paging.Page, error) {
	c.listing = true
	var r result
	ended := transport.ErrNoReturn
	defer func() {
		if ended != nil {
			c.finish(r, ended)
		}
	}()
	r, err := c.roundTrip()
	var page *paging.Page
	if err == nil {
		page, err = read(r, at.Offset)
	}
	if ended = err; err != nil {
		return nil, err
	}
	page.RequestID = c.settings.headers[headers.RequestID]
	if w := &c.observer; w.aggregate != nil {
		page.Records = w.aggregate.hold(w, w.ending(r.status(), nil), page.Records)
	}
	return page, nil
}

// refuseForWalk refuses options that make sense only for a single request.
func (c *call) refuseForWalk() {
	c.check("WithRequestID", reasonIf(c.settings.headers[headers.RequestID] != "", "applies only to single calls: each page is a separate request"))
	c.check("WithResponse", reasonIf(c.settings.response != nil, "applies only to single calls: request the pages of a list one by one to see their responses"))
}

// endOfWalk returns the error that ends a walk. It resets the stored position,
// since what that records would end every later walk as well.
func (c *call) endOfWalk(requestID string, offset int, reason error) error {
	if at := c.settings.position; at != nil {
		*at = WalkPosition{}
	}
	return &PagingError{Operation: c.op.name, RequestID: requestID, Offset: offset, Err: reason}
}

// page sets the position of the page for a List method. It leaves out values of
// 0, so that the service applies its defaults.
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

// pageAt sets the position of a page of a walk; both values are sent.
func (c *call) pageAt(names paging.Names, at paging.Position, limit int) {
	if at.Plain {
		return
	}
	c.params(at.Query)
	c.param(names.Offset, strconv.Itoa(at.Offset))
	c.param(names.Limit, strconv.Itoa(limit))
}

// resume starts the walk at the position of an earlier one, and updates that
// position.
func (c *call) resume(w *paging.Walk) {
	at := c.settings.position
	if at == nil {
		return
	}
	_, err := url.ParseQuery(at.Query)
	list := c.identity()
	c.check("WithPosition", reasonIf(at.Method != "" && at.Method != c.op.name, "belongs to the method "+at.Method))
	c.check("WithPosition", reasonIf(badOffset(at.Offset) != "" || at.Done < 0 || !at.Possible() || err != nil, "is not a valid position"))
	c.check("WithPosition", reasonIf(at.Method == c.op.name && at.List != list, "belongs to a list with other ids or filters, or to another account or user"))
	if at.Method != "" {
		w.From = new(at.Mark)
	}
	w.Passed = func(mark paging.Mark) { *at = WalkPosition{c.op.name, list, mark} }
}

// identity returns a hash of everything that distinguishes the list: server,
// path with the account, filters, request body, and user. It is a hash because
// positions are stored.
func (c *call) identity() string {
	hash := fnv.New128a()
	target := c.requestURL()
	for _, part := range []string{c.client.server, target.EscapedPath(), target.RawQuery, string(c.body), strings.ToLower(c.settings.headers[headers.UserID])} {
		_, _ = io.WriteString(hash, part+"\n") // writing to a hash cannot fail
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// listPage sends the call and decodes one page. It may return both a page and
// an error for records that could not be decoded.
func listPage[T any](c *call) (*Page[T], error) {
	page := new(Page[T])
	read, err := c.list(page, &page.Response, &page.Paging, &page.Items)
	if !read {
		return nil, err
	}
	return page, err
}

// listUnpaged does the same as listPage for a list without pages.
func listUnpaged[T any](c *call, options interface{ filter(*call) }) (*Page[T], error) {
	options.filter(c)
	return listPage[T](c)
}

// list decodes a page into page, response, position and items, a pointer to the
// slice of records.
func (c *call) list(page any, response *Response, position *models.Paging, items any) (read bool, err error) {
	err = c.doPage(func(r result) error {
		list := reflect.ValueOf(items).Elem()
		faults, err := r.decode(page)
		if err == nil {
			err = r.unlisted(!list.IsNil() || r.isNullList(position), 0, position)
		}
		if err != nil {
			return err
		}
		r.answer.Release()
		*response = r.response()
		c.applyVendorPrefixes(list)
		read, c.found.records = true, list.Len()
		return errors.Join(c.recordErrors(faults, position.Offset.Or(0))...)
	})
	return read, err
}

// readCollection reads a page; the records are decoded later.
func readCollection(r result, offset int) (*paging.Page, error) {
	page := new(Page[models.Object])
	return readPage(r, offset, page, &page.Paging)
}

// hasItsList returns an error if record, a pointer, is a page of a list, and the
// response to a read contains no list.
func (r result) hasItsList(record any) error {
	if r.call.op.class != transport.Read || r.call.op.method == http.MethodHead || !models.Wire.IsCollection(record) {
		return nil
	}
	_, err := readCollection(r, 0)
	return err
}

// readPage reads a page and its position. The records are decoded as they are
// consumed.
func readPage(r result, offset int, page any, position *models.Paging) (*paging.Page, error) {
	text, err := r.text()
	if err != nil {
		return nil, err
	}
	elements, err := codec.DecodeAround(text, page, r.form())
	if err != nil {
		return nil, r.unreadable(err)
	}
	if err := r.unlisted(elements.Found() || r.isNullList(position), offset, position); err != nil {
		return nil, err
	}
	return &paging.Page{Records: &lazyRecords{Elements: elements, from: r, offset: offset}, Text: elements.All(), Paging: *position, Bare: r.bare()}, nil
}

// unlisted returns an error for the response to a read that contains no list,
// not even an empty one. A service in maintenance sends another object, which
// would pass for the end of the list. A size of 0 counts as an empty list. The
// response to a write is accepted, because the write was executed.
func (r result) unlisted(listed bool, offset int, position *models.Paging) error {
	size, known := position.Size.Get()
	if listed || r.call.op.class != transport.Read || known && size >= 0 && size <= max(offset, position.Offset.Or(0)) {
		return nil
	}
	return r.unreadable(noListError{})
}

// isNullList reports whether null stands for the list and the page announces no
// more records, so that the list is empty.
func (r result) isNullList(position *models.Paging) bool {
	_, sized := position.Size.Get()
	return string(r.listed()) == "null" && !sized && position.Next == models.Link{}
}

// listed returns the text of the list in a page, or nil for none.
func (r result) listed() []byte {
	text, _ := r.text()
	if r.bare() {
		return text
	}
	return codec.Find(text, "value")
}

// noListError is the cause of a DecodeError for a response without a list.
type noListError struct{}

func (noListError) Error() string { return "the response contains no list" }

func (noListError) Unwrap() error { return ErrEmptyPage }

// lazyRecords decodes records one at a time from the text of their page.
type lazyRecords struct {
	*codec.Elements
	from   result
	offset int  // offset of the page
	failed bool // an error refers to the text, so it must not be released
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

// bare reports whether the response is a JSON array without an object around
// it.
func (r result) bare() bool {
	text, _ := r.text()
	return bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("["))
}
