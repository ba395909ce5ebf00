package practicetest

import (
	"bytes"
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"
)

// A resource implements six operations: list, get, create, replace, merge and
// delete. The API description determines whether a write responds with the
// record or a link to it.

// answer encodes the response body. It runs without the server's lock.
type answer func() []byte

// bytesOf returns an answer whose body is already encoded.
func bytesOf(body []byte) answer { return func() []byte { return body } }

// named returns the ids of the parents of the record in the path, and its id.
func (res *resource) named(c *call) (above []string, id string) {
	above = lower(c.values)
	if res.single {
		if len(above) == 0 {
			return above, c.account.id
		}
		return above, above[len(above)-1]
	}
	last := len(above) - 1
	return above[:last], above[last]
}

func (res *resource) get(s *Server, c *call) (answer, error) {
	above, id := res.named(c)
	r, err := s.tx(c).read(res, id, above)
	return s.recordOr(c, r, err)
}

// reading returns a handler that reads the record at the start of the path and
// passes it to do.
func (res *resource) reading(do func(*Server, *call, *record) (answer, error)) handler {
	return func(s *Server, c *call) (answer, error) {
		n, above := depth(res), []string(nil)
		if n > 1 {
			above = c.values[:n-1]
		}
		r, err := s.tx(c).read(res, c.values[n-1], above)
		if err != nil {
			return nil, err
		}
		return do(s, c, r)
	}
}

// recordOr responds with a record in the state that reads see. If err is not
// nil, it returns err.
func (s *Server) recordOr(c *call, r *record, err error) (answer, error) {
	if err != nil {
		return nil, err
	}
	v, r := s.view(c.link), s.state.completed(r, seenByReads)
	return func() []byte { return v.record(r) }, nil
}

// object responds with an object, encoded with the response schema of the
// operation.
func (s *Server) object(c *call, f fields) answer {
	w, form := writer{view: s.view(c.link)}, &value{object: c.route.answer}
	return func() []byte { return w.object(form, f) }
}

// link responds with the link to a record.
func (s *Server) link(c *call, of *resource, id string, above ...string) answer {
	v := s.view(c.link)
	return func() []byte { return encode(v.linkTo(of, id, above)) }
}

// making reserves the id of a new record and returns the write that will create
// it.
func (s *Server) making(c *call, of *resource, id, name string, above ...string) *write {
	s.state.reserve(of, id, c.account, above)
	return &write{resource: name, id: id, makes: []recordKey{recordKeyOf(of, id)}}
}

// list responds with a page of the records, or with all of them if the list has
// no paging.
func (res *resource) list(s *Server, c *call) (answer, error) {
	found, err := res.find(s, c, c.values)
	return s.listing(c, res, res.inBrief(c, c.sorted(found))), err
}

// inBrief removes the members that a list contains only if the query asks for
// them.
func (res *resource) inBrief(c *call, all []*record) []*record {
	if res.brief == nil {
		return all
	}
	asked := strings.Split(c.query[fieldsQuery], ",")
	return mapped(all, func(r *record) *record {
		r = r.next()
		res.brief(r, asked)
		return r
	})
}

// find returns the records below the given parents that the query selects.
func (res *resource) find(s *Server, c *call, above []string) ([]*record, error) {
	owner := c.account.id
	if len(above) > 0 {
		owner = sameID(above[len(above)-1])
		if res.above != nil {
			if _, err := s.tx(c).read(res.above, owner, above[:len(above)-1]); err != nil {
				return nil, err
			}
		}
	}
	return res.selected(c, s.state.list(res, owner).All()), nil
}

// selected returns those of the records that the query selects.
func (res *resource) selected(c *call, all []*record) []*record {
	keep := res.wanted(c)
	if keep == nil {
		return all
	}
	return where(all, keep)
}

// where returns the records for which fits returns true.
func where(all []*record, fits func(*record) bool) []*record {
	return slices.DeleteFunc(slices.Clone(all), func(r *record) bool { return !fits(r) })
}

// mapped returns the results of f for the elements of a list.
func mapped[T, U any](all []T, f func(T) U) []U {
	results := make([]U, len(all))
	for i := range all {
		results[i] = f(all[i])
	}
	return results
}

// wanted returns a filter for the records that the query selects, or nil if it
// selects all.
func (res *resource) wanted(c *call) func(*record) bool {
	var tests []func(*record) bool
	for name, texts := range c.queries {
		switch test := res.filters[name]; {
		case test != nil:
			tests = append(tests, func(r *record) bool {
				return slices.ContainsFunc(texts, func(text string) bool { return test(r, text) })
			})
		case name == "UpdatedSince" || name == "LastUpdated":
			since := c.moment(name, time.Time{})
			// Assumed: the moment of a change filter
			tests = append(tests, func(r *record) bool { return !r.updated.Before(since) })
		}
	}
	if tests == nil {
		return nil
	}
	return func(r *record) bool {
		return !slices.ContainsFunc(tests, func(test func(*record) bool) bool { return !test(r) })
	}
}

// listing responds with a list or a page of it, in the format of the API
// description.
func (s *Server) listing(c *call, res *resource, all []*record) answer {
	if c.route.paging.style != "" && c.route.paging.shape == "page" {
		return s.pageOf(c, all)
	}
	v, shape, segments, schema := s.view(c.link), c.route.paging.shape, c.segments(), c.route.answer
	if c.route.paging.style != "" {
		offset, limit := c.window()
		all = slice(all, offset, limit)
	}
	all = slices.Clone(all)
	return func() []byte {
		if shape == "array" {
			return bareList(v.listed(schema, all))
		}
		return withValue(collection{head: v.link.head(res.relation, segments...)}, v.listed(schema, all))
	}
}

func (s *Server) pageOf(c *call, all []*record) answer {
	schema := c.route.answer
	return pageOf(s, c, all, func(v view, some []*record) [][]byte { return v.listed(schema, some) })
}

// pageOf responds with the page of a list that the query asks for. encoded
// encodes its elements.
func pageOf[T any](s *Server, c *call, all []T, encoded func(v view, some []T) [][]byte) answer {
	offset, limit := c.window()
	p, some, v := c.page(offset, limit, len(all), c.segments()...), slices.Clone(slice(all, offset, limit)), s.view(c.link)
	return func() []byte { return p.body(encoded(v, some)) }
}

func bareList(items [][]byte) []byte {
	return bytes.Join([][]byte{[]byte("["), bytes.Join(items, []byte(",")), []byte("]")}, nil)
}

// errorName returns the name of the resource in error events.
func (res *resource) errorName() string { return cmp.Or(res.subject, res.event, res.target) }

// create handles the creation of a record below the parents in the path.
func (res *resource) create(s *Server, c *call) (answer, error) {
	above := lower(c.values)
	w, body := s.making(c, res, s.state.idFor(c, res.path), res.errorName(), above...), c.members()
	return res.write(s, c, w, above, func(t *tx) (*record, error) {
		if res.above != nil && len(above) > 0 {
			if err := t.parents(res, above); err != nil {
				return nil, err
			}
		}
		r := t.create(res, w.id, above)
		res.take(t, r, body)
		return r, t.settle(c, r, created)
	})
}

// replace handles a PUT: it sets the members in the body and removes those that
// are missing from it.
func (res *resource) replace(s *Server, c *call) (answer, error) {
	form, body := schemas[c.route.body.object], c.members()
	return res.alterRecord(s, c, func(t *tx, r *record) {
		for i := range form {
			if !slices.Contains(res.final, form[i].name) {
				delete(r.fields, form[i].name)
			}
		}
		res.take(t, r, body)
	})
}

// merge handles a PATCH: it sets the members in the body and keeps the others.
func (res *resource) merge(s *Server, c *call) (answer, error) {
	body := c.members()
	return res.alterRecord(s, c, func(t *tx, r *record) { res.take(t, r, body) })
}

// delete marks a record as deleted. A record that is already deleted is not
// changed.
func (res *resource) delete(s *Server, c *call) (answer, error) {
	above, id := res.named(c)
	return res.write(s, c, &write{resource: res.errorName(), id: id}, above, func(t *tx) (*record, error) {
		old, err := t.known(res, id, above)
		if err != nil || old.deleted {
			return old, res.lateOr(t, c, above, err)
		}
		r := t.edit(old)
		r.deleted = true
		if res.remove != nil {
			res.remove(t, r)
		}
		return r, t.settle(c, r, deleted)
	})
}

// alter accepts a write that changes the record with the id.
func (res *resource) alter(s *Server, c *call, w *write, id string, above []string, change func(*tx, *record) error) error {
	return s.accept(c, w, func(t *tx) error {
		r, what, err := t.alter(res, id, above, nil)
		if err == nil {
			err = change(t, r)
		}
		if err == nil {
			t.put(r, what)
		}
		return err
	})
}

// alterRecord accepts a write that changes the record in the path.
func (res *resource) alterRecord(s *Server, c *call, change func(*tx, *record)) (answer, error) {
	above, id := res.named(c)
	body := c.members()
	return res.write(s, c, &write{resource: res.errorName(), id: id}, above, func(t *tx) (*record, error) {
		r, what, err := t.alter(res, id, above, body)
		if err != nil {
			return nil, res.lateOr(t, c, above, err)
		}
		change(t, r)
		return r, t.settle(c, r, what)
	})
}

// lateOr returns err, unless the record was not found and the operation accepts
// such writes. These fail later, when they are due.
func (res *resource) lateOr(t *tx, c *call, above []string, err error) error {
	missing := (*problem)(nil)
	if !c.route.late || !t.trial || t.server.cfg.earlyNotFound || !errors.As(err, &missing) || missing.status != http.StatusNotFound {
		return err
	}
	if res.above != nil {
		return t.parents(res, above)
	}
	return nil
}

// settle checks a changed record and adds it to the transaction.
func (t *tx) settle(c *call, r *record, what changeKind) error {
	if !t.trial {
		c = nil // the write is applied after its request has ended
	}
	if what != deleted {
		if err := t.keepsRules(c, r); err != nil {
			return err
		}
		if r.of.check != nil {
			if err := r.of.check(t, c, r); err != nil {
				return err
			}
		}
	}
	t.put(r, what)
	return nil
}

// take copies the members of a body to a record. updatedByUserId is not stored
// as a member but recorded as the editor.
func (res *resource) take(t *tx, r *record, body fields) {
	for name, value := range body {
		if r.revision > 0 && slices.Contains(res.final, name) {
			continue
		}
		if name == "updatedByUserId" {
			if named := body.str(name); named != "" {
				r.editor = named
			}
			continue
		}
		r.fields[name] = value
	}
	if res.change != nil {
		res.change(t, r, body)
	}
}

// write accepts a write and responds with the record or a link to it.
func (res *resource) write(s *Server, c *call, w *write, above []string, do func(*tx) (*record, error)) (answer, error) {
	var made *record
	err := s.accept(c, w, func(t *tx) error {
		r, err := do(t)
		if err == nil {
			made = r
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	v, kind := s.view(c.link), c.route.answer
	if kind == res.schema && made != nil && c.route.status != http.StatusAccepted {
		return func() []byte { return v.record(made) }, nil
	}
	if kind == "" {
		return nil, nil
	}
	return s.link(c, res, w.id, above...), nil
}

func lower(ids []string) []string { return mapped(ids, sameID) }
