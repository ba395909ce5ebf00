package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"iter"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/cmd/practice/internal/rows"
	"github.com/practicesdk/practice-go/cmd/practice/internal/shape"
	"github.com/practicesdk/practice-go/models"
)

// line is a row that can be sent.
type line struct {
	number    int
	chosen    string // value of the key column
	key       string // in the journal
	arguments map[string]any
	body      json.RawMessage
	sent      rows.Sent
	was       *rows.View // the record before the first write of this run; nil: not seen
}

// survey holds the counts, sums and faults of the list, found before the first
// row is sent.
type survey struct {
	rows, deletes int
	amounts       map[string]models.Decimal
	prints        []uint64         // of the contents, in their order
	again         map[string]int   // by content: how often it was there, of those that are there twice
	faults        []string         // rows that cannot be sent
	first         map[string]int32 // line on which a content is first; nil after the survey
	equal         map[string][]int // lines of equal rows
}

// shownFaults is the maximum number of listed rows that cannot be sent.
const shownFaults = 20

// capture keeps the request of a client that sends nothing.
type capture struct {
	request *http.Request
	body    []byte
}

func (c *capture) RoundTrip(r *http.Request) (_ *http.Response, err error) {
	c.request, c.body = r, nil
	if r.Body != nil {
		c.body, err = io.ReadAll(r.Body)
	}
	return nil, printedError{err}
}

// lines yields the rows as they are sent. An error with a line is that of a row;
// one without ends the iteration.
func (m *many) lines(ctx context.Context, t *target) iter.Seq2[*line, error] {
	return func(yield func(*line, error) bool) {
		kept := new(capture)
		client, err := t.unsent(kept)
		if err != nil {
			yield(nil, err)
			return
		}
		for r, err := range m.list.rows() {
			if err != nil {
				yield(nil, err)
				return
			}
			l, err := m.line(ctx, client, kept, r)
			if !yield(l, err) {
				return
			}
		}
	}
}

func (m *many) line(ctx context.Context, client *practice.Client, kept *capture, r row) (l *line, err error) {
	l = &line{number: r.line}
	var body any
	if l.chosen, l.arguments, body, err = m.list.values(r); err != nil {
		return l, err
	}
	var sending any
	if body != nil {
		if l.body, err = json.Marshal(body); err != nil {
			return l, err
		}
		sending = l.body
	}
	err = client.Call(ctx, m.operation.ID, l.arguments, sending, new([]byte))
	if !has[printedError](err) {
		return l, m.fault(err)
	}
	l.sent, err = rows.SentBy(kept.request.Method, kept.request.URL, kept.body)
	if m.operation.ID == "patchMatter" && rows.MemberAt(l.sent.Body, "items") != nil {
		err = errors.New("items: each call adds the items that have no id, so a row with items cannot be repeated safely")
	}
	return l, err
}

// fault names the column of an argument that the library refuses.
func (m *many) fault(err error) error {
	refused, ok := errors.AsType[*practice.ArgumentError](err)
	if !ok {
		return err
	}
	for column, g := range m.list.goals {
		if g.parameter != nil && g.parameter.Name == refused.Argument || g.member != "" && within(refused.Argument, g.member) {
			return fmt.Errorf("column %q: %s", column, refused.Reason)
		}
	}
	return fmt.Errorf("%s %s", refused.Argument, refused.Reason)
}

// survey reads and checks all rows, and lists equal ones.
func (m *many) survey(ctx context.Context, t *target) error {
	s := &m.found
	*s = survey{first: map[string]int32{}, again: map[string]int{}, equal: map[string][]int{}, amounts: map[string]models.Decimal{}}
	for l, err := range m.lines(ctx, t) {
		switch {
		case ctx.Err() != nil: // no row is to blame
			return context.Cause(ctx)
		case l == nil:
			return misuse{err}
		case err != nil:
			s.faults = append(s.faults, fmt.Sprintf("line %d: %v", l.number, err))
			if len(s.faults) == shownFaults {
				return s.refusal("or more rows cannot be sent", s.faults)
			}
			continue
		}
		m.count(l)
	}
	s.first = nil
	if err := m.list.flagged(); err != nil && len(s.faults) == 0 {
		return misuse{err}
	}
	var equal []string
	for same, lines := range s.equal {
		equal = append(equal, fmt.Sprintf("lines %s %s", strings.ReplaceAll(strings.Trim(fmt.Sprint(lines), "[]"), " ", ", "), sameness(same)))
	}
	slices.Sort(equal)
	switch {
	case len(s.faults) > 0:
		return s.refusal("rows cannot be sent", s.faults)
	case len(equal) > 0 && (m.equal == equalStop || !m.counts()):
		return s.refusal("groups of duplicate rows were found", equal[:min(len(equal), shownFaults)])
	case s.rows == 0:
		return misuse{errors.New("the list has no rows")}
	}
	return nil
}

// counts reports whether equal rows can be numbered: a key or a record has one
// row.
func (m *many) counts() bool { return m.creates() && m.key == "" }

// Prefixes for the key or the record that rows share.
const (
	sameKey    = "key "
	sameRecord = "record "
)

// sameness returns the text for what equal rows have in common.
func sameness(same string) string {
	switch {
	case strings.HasPrefix(same, sameKey):
		return "have the same key"
	case strings.HasPrefix(same, sameRecord):
		return "are for the same record"
	}
	return "are identical; use --equal-rows=count to send all of them"
}

func (s *survey) refusal(what string, lines []string) error {
	return misuse{fmt.Errorf("%d %s; nothing was sent:\n%s", len(lines), what, strings.Join(lines, "\n"))}
}

// count adds a row to the survey.
func (m *many) count(l *line) {
	s := &m.found
	s.rows++
	s.prints = append(s.prints, l.print())
	m.groups.Add(l.sent)
	if m.operation.Deletes(l.body) {
		s.deletes++
	}
	if m.operation.Money {
		body, _ := rows.Decode(l.body) // with the digits as they are written; no body has no amounts
		s.add(reflect.TypeOf(m.operation.NewBody()), body, "")
	}
	if m.key != "" {
		s.compare(sameKey+l.chosen, l.number)
	}
	switch {
	case !m.creates():
		s.compare(sameRecord+l.sent.Place(), l.number)
	case m.key == "":
		s.compare(l.sent.Content(), l.number)
	}
}

// compare records a row under a text that no other row may have.
func (s *survey) compare(same string, number int) {
	first, twice := s.first[same]
	if !twice {
		s.first[same] = int32(number)
		return
	}
	if s.equal[same] == nil {
		s.equal[same] = []int{int(first)}
	}
	s.equal[same] = append(s.equal[same], number)
	s.again[same] = 0
}

// print returns a number that is the same for the same row.
func (l *line) print() uint64 {
	h := fnv.New64a()
	_, _ = io.WriteString(h, l.chosen+" "+l.sent.Content()) // a hash
	return h.Sum64()
}

// add adds the amounts of a body to the sums by member.
func (s *survey) add(kind reflect.Type, value any, path string) {
	kind = shape.Plain(kind)
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			if of, err := memberType(kind, name, ""); err == nil && of != nil {
				s.add(of, member, strings.TrimPrefix(path+"."+name, "."))
			}
		}
	case []any:
		for _, element := range value {
			if kind != nil && kind.Kind() == reflect.Slice {
				s.add(kind.Elem(), element, path)
			}
		}
	case json.Number:
		if kind != reflect.TypeFor[models.Decimal]() {
			return
		}
		total, known := s.amounts[path]
		if !known {
			total = models.MustDecimal("0")
		}
		amount, err := models.ParseDecimal(value.String())
		if err == nil {
			s.amounts[path], err = total.Add(amount)
		}
		if err != nil {
			s.faults = append(s.faults, fmt.Sprintf("cannot compute the sum of %s: %v", path, err))
		}
	}
}

// sums returns the sums by member.
func (s *survey) sums() (all []string) {
	for _, path := range slices.Sorted(maps.Keys(s.amounts)) {
		all = append(all, fmt.Sprintf("sum of %s %s", path, s.amounts[path]))
	}
	return all
}
