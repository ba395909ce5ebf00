package rows

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/cmd/practice/internal/finders"
	"github.com/practicesdk/practice-go/once"
)

// Create is a row that creates a record.
type Create struct {
	Key, Content string
	Group        string // of rows whose records the finder may confuse
	Send         func(context.Context, once.Intent) (id string, err error)
	Find         func(ctx context.Context, since time.Time) ([]string, error) // nil: its record cannot be found
	Settle       time.Duration                                                // how long to look for the record
	Again        bool                                                         // whether to create a record again that is not found
}

// ErrTwins reports a record that cannot be told from that of another row.
var ErrTwins = errors.New("the record may belong to another row with an unknown outcome")

// Create creates the record of a row, unless that was done before. Rows of one
// group wait for each other: a record that is found then belongs to the only
// one of them whose outcome is unknown, or it is left to a person.
func (j *Journal) Create(ctx context.Context, c Create) Result {
	entry, err := j.file.Load(ctx, c.Key)
	switch {
	case err != nil:
		return Result{Status: Failed, Err: fatal{err}}
	case entry.ID != "":
		return Result{Status: Accepted, Before: true, ID: entry.ID}
	}
	release, err := j.file.Hold(ctx, "group "+c.Group)
	if err != nil {
		return Result{Status: Failed, Err: err}
	}
	defer release()
	j.open.begin(c.Group, c.Key, c.Content)
	var sent error
	id, err := once.Do(ctx, j.file, c.Key, func(ctx context.Context, intent once.Intent) (id string, err error) {
		id, sent = c.Send(context.WithoutCancel(ctx), intent) // a request under way ends by itself, so that its outcome is known
		return id, sent
	}, j.finder(c), c.options()...)
	if !errors.Is(err, once.ErrUnknown) {
		j.open.end(c.Group, c.Key)
	}
	r := resultOf(id, err)
	if r.Status == Failed && sent == nil { // the journal failed
		r.Err = fatal{r.Err}
	}
	return r
}

func (c Create) options() []once.Option {
	switch {
	case c.Find == nil:
		return []once.Option{once.SearchLimit(0)}
	case c.Again:
		return []once.Option{once.SearchLimit(c.Settle), once.CreateAgain()}
	}
	return []once.Option{once.SearchLimit(c.Settle)}
}

// finder returns the function that looks for the record of an intent.
func (j *Journal) finder(c Create) func(context.Context, once.Intent) ([]string, error) {
	return func(ctx context.Context, intent once.Intent) ([]string, error) {
		if c.Find == nil {
			return nil, finders.ErrNone
		}
		ids, err := c.Find(ctx, intent.At)
		if err == nil && j.open.twins(c.Group, c.Key, c.Content) {
			err = ErrTwins
		}
		return ids, err
	}
}

func resultOf(id string, err error) Result {
	unknown, isUnknown := errors.AsType[*once.UnknownError](err)
	switch {
	case err == nil:
		return Result{Status: Accepted, ID: id}
	case isUnknown:
		return Result{Status: Unknown, IDs: unknown.IDs, Err: err}
	case id != "", errors.Is(err, once.ErrOvertaken), errors.Is(err, once.ErrClaimed):
		return Result{Status: Unknown, ID: id, Err: fatal{err}} // the journal failed
	}
	return Result{Status: Failed, Err: err}
}

// open holds the content of the rows whose outcome is unknown, by group and
// key.
type open struct {
	mu   sync.Mutex
	rows map[string]map[string]string
}

func (o *open) begin(group, key, content string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.rows == nil {
		o.rows = map[string]map[string]string{}
	}
	if o.rows[group] == nil {
		o.rows[group] = map[string]string{}
	}
	o.rows[group][key] = content
}

func (o *open) end(group, key string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.rows[group], key)
	if len(o.rows[group]) == 0 {
		delete(o.rows, group)
	}
}

// twins reports whether the outcome of another row of the group, with another
// content, is unknown. Rows with one content may have each other's records.
func (o *open) twins(group, key, content string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for other, has := range o.rows[group] {
		if other != key && has != content {
			return true
		}
	}
	return false
}

// Begun notes a row of an earlier run whose outcome is unknown, if it is one.
// It is called for each row before the first is sent.
func (j *Journal) Begun(ctx context.Context, key, group, content string) error {
	entry, err := j.file.Load(ctx, key)
	if err == nil && !entry.IsZero() && entry.ID == "" {
		j.open.begin(group, key, content)
	}
	return err
}

// Groups tells which rows the finder of an operation may confuse.
type Groups struct {
	finder *finders.Finder
	rows   int
	given  map[string]int // rows that have a member, by its name
}

// NewGroups returns the groups of an operation. finder may be nil: then nothing
// is found, and so nothing confused.
func NewGroups(finder *finders.Finder) *Groups {
	return &Groups{finder: finder, given: map[string]int{}}
}

// Add counts a row. All rows are added before Of is called.
func (g *Groups) Add(row Sent) {
	if g.rows++; g.finder == nil {
		return
	}
	for _, name := range slices.Concat(g.finder.Alone, g.finder.Compares) {
		if MemberAt(row.Body, name) != nil {
			g.given[name]++
		}
	}
}

// Of returns the group of a row: its address with the members that the finder
// compares, as far as all rows have them. A finder that compares different
// members of different rows may confuse all of them.
func (g *Groups) Of(row Sent) string {
	if g.finder == nil {
		return row.Content()
	}
	compares := g.finder.Compares
	for _, name := range g.finder.Alone {
		if n := g.given[name]; n == g.rows {
			compares = []string{name}
			break
		} else if n > 0 {
			return digest(row.Address)
		}
	}
	values := []any{row.Address}
	for _, name := range compares {
		if g.given[name] == g.rows {
			values = append(values, strings.Join(strings.Fields(textOf(MemberAt(row.Body, name))), " "))
		}
	}
	return digest(values...)
}

func textOf(value any) string {
	text, isText := value.(string)
	if !isText {
		return digest(value)
	}
	return text
}
