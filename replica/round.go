package replica

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/models"
)

// ErrAnotherFirm reports that the client reads the records of a different firm
// from the one in the copy. Nothing was changed.
var ErrAnotherFirm = errors.New("replica: the copy contains the records of another firm")

// readFirm is the operation that reads the firm, which is also a kind.
const readFirm = "getFirm"

// writer is the process that writes to a copy.
type writer struct {
	*Copy
	store store
}

// round is one round of a writer.
type round struct {
	*writer
	now    time.Time // of the service, at the beginning
	before time.Time // beginning of the last round; zero if there was none
	firm   []byte    // as it was read at the beginning; nil if the round only compares
	watch  backoff.Stopwatch
	budget time.Duration // time for lists below records; 0: all are asked
	failed []error       // of lists and hints that did not end the round
	inRow  int           // requests in a row that the service did not serve
	far    Progress
}

// outage is the number of failed lists in a row after which a round ends, if the
// firm cannot be read either. After the same number of failed or refused lists of
// one kind, the round continues with the next kind.
const outage = 3

// round asks the lists. If budget is not 0, those below a record are asked only
// as they are due, and no longer than that, but at least one of each kind.
func (w *writer) round(ctx context.Context, budget time.Duration) error {
	r := &round{writer: w, watch: backoff.Start(), budget: budget}
	if err := r.begin(ctx); err != nil {
		return err
	}
	if err := r.readHints(ctx); err != nil {
		return err
	}
	for i, k := range w.kinds {
		// The kinds share the time for lists below records.
		until := r.watch.Passed() + (budget-r.watch.Passed())/time.Duration(len(w.kinds)-i)
		if err := r.readKind(ctx, i, until); err != nil {
			return errors.Join(append(r.failed, fmt.Errorf("replica: %s: %w", k.name, err))...)
		}
	}
	if err := errors.Join(r.prune(ctx), r.store.clean(ctx)); err != nil {
		return err
	}
	return errors.Join(r.failed...)
}

// begin reads the service's time, and checks that the firm is that of the copy.
func (r *round) begin(ctx context.Context) error {
	var response practice.Response
	err := r.call(ctx, readFirm, nil, &r.firm, practice.WithResponse(&response))
	if err != nil {
		return err
	}
	var firm models.Firm
	if err := json.Unmarshal(r.firm, &firm); err != nil {
		return fmt.Errorf("replica: the firm cannot be read: %w", err)
	}
	if firm.ID == "" {
		return errors.New("replica: the response has no id of the firm")
	}
	if r.now, err = http.ParseTime(response.Header.Get("Date")); err != nil {
		return fmt.Errorf("replica: the response has no valid Date header: %w", err)
	}
	return r.store.write(ctx, func(tx *transaction) error {
		var (
			known string
			began int64
		)
		if err := tx.row(`SELECT firm, began FROM %_source`).Scan(&known, &began); err != nil {
			return err
		}
		if known != "" && !strings.EqualFold(known, firm.ID) {
			return ErrAnotherFirm
		}
		if began != 0 {
			r.before = time.Unix(0, began)
		}
		for _, k := range r.kinds {
			if err := tx.run(`INSERT INTO %_kinds VALUES (?, ?, '') ON CONFLICT (kind) DO NOTHING`, k.name, k.below); err != nil {
				return err
			}
		}
		return tx.run(`UPDATE %_source SET firm = ?, began = ?`, firm.ID, r.now.UnixNano())
	})
}

// readKind reads the lists of a kind that are due. A list that may not be read
// is stored as a fact about its kind: nothing follows for the records.
func (r *round) readKind(ctx context.Context, i int, until time.Duration) error {
	k := r.kinds[i]
	lists, err := r.due(ctx, k)
	if err == nil {
		err = r.expect(ctx, i, len(lists))
	}
	if err != nil {
		return err
	}
	refused, inRow := "", 0
	for n, l := range lists {
		if n > 0 && r.budget > 0 && k.below != "" && r.watch.Passed() >= until || inRow == outage {
			break
		}
		err := r.walk(ctx, k, l)
		inRow++
		if err == nil || errors.Is(err, practice.ErrNotFound) || errors.Is(err, ErrUnreadable) || errors.Is(err, ErrManyMissing) {
			r.inRow, inRow = 0, 0 // the service responds to such requests
		}
		if err != nil {
			because, err := r.fail(ctx, k, l, err)
			if err != nil {
				return err
			}
			refused = cmp.Or(refused, because)
		}
		r.readOne()
	}
	return r.store.write(ctx, func(tx *transaction) error { return tx.refuse(k, refused) })
}

// refuse stores why a list may not be read. Without a reason an earlier one
// remains while the last read of a list below a record has failed, because this
// round perhaps did not request the list.
func (t *transaction) refuse(k *kind, because string) error {
	return t.run(`UPDATE %_kinds SET refused = ? WHERE kind = ? AND (? <> '' OR NOT EXISTS (SELECT 1 FROM %_lists l
		JOIN %_records p ON p.kind = %_kinds.below AND p.id = l.parent AND NOT p.deleted WHERE l.kind = %_kinds.kind AND l.tried <> l.mark))`,
		because, k.name, because)
}

// fail stores that a list was not read, so that the others are requested before
// it. It returns why the list may not be read, or an error that ends the round.
func (r *round) fail(ctx context.Context, k *kind, l list, err error) (refused string, end error) {
	switch {
	case errors.Is(err, ErrUnreadable) || errors.Is(err, ErrManyMissing):
		r.failed = append(r.failed, fmt.Errorf("replica: %s: %w", k.name, err))
	case errors.Is(err, practice.ErrForbidden) || errors.Is(err, practice.ErrUnauthorized) || errors.Is(err, practice.ErrNotFound):
		refused = err.Error() // the firm could be read with the same credentials
	case ofService(err) && ctx.Err() == nil:
		r.failed = append(r.failed, fmt.Errorf("replica: %s: %w", k.name, err))
		if err := r.failOnce(ctx); err != nil {
			return "", err
		}
	default:
		return "", err
	}
	return refused, r.store.write(ctx, func(tx *transaction) error { return tx.requested(k, l, r.now) })
}

// failOnce counts a request that failed. If several in a row fail, there is an
// outage unless the firm can be read, and its error ends the round.
func (r *round) failOnce(ctx context.Context) error {
	if r.inRow++; r.inRow < outage {
		return nil
	}
	r.inRow = 0
	return r.call(ctx, readFirm, nil, &models.Firm{})
}

// ofService reports whether an error is that of a response, or of a missing one,
// and not that of the database. A response to too many requests concerns all
// lists.
func ofService(err error) bool {
	_, refused := errors.AsType[*practice.Error](err)
	_, lost := errors.AsType[*practice.NoAnswerError](err)
	_, odd := errors.AsType[*practice.DecodeError](err)
	_, torn := errors.AsType[*practice.PagingError](err)
	return (refused || lost || odd || torn) && !errors.Is(err, practice.ErrRateLimited)
}

// list is a list of a kind, and the times up to which it is complete.
type list struct {
	parent, sent string // id of the parent in lower case, and as the service wrote it; empty for a list of the firm
	mark, whole  int64
	touched      int64 // when the parent changed
}

// due returns the lists of a kind that this round asks, in their order.
func (r *round) due(ctx context.Context, k *kind) ([]list, error) {
	query := `SELECT p.id, p.sent, p.touched, coalesce(l.mark, 0), coalesce(l.whole, 0) FROM %_records p LEFT JOIN %_lists l ON l.kind = ? AND l.parent = p.id
		WHERE p.kind = ? AND NOT p.deleted ORDER BY l.tried IS NOT NULL, p.touched > l.tried DESC, l.tried, l.mark < l.tried, p.id`
	args := []any{k.name, k.below}
	if k.below == "" {
		query = `SELECT '', '', 0, coalesce(max(mark), 0), coalesce(max(whole), 0) FROM %_lists WHERE kind = ?`
		args = args[:1]
	}
	rows, err := r.store.read(ctx).rows(query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var all []list
	for rows.Next() {
		var l list
		if err := rows.Scan(&l.parent, &l.sent, &l.touched, &l.mark, &l.whole); err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	if r.budget > 0 && k.below != "" {
		all = r.turn(all)
	}
	return all, rows.Err()
}

// turn returns the lists whose turn it is: those that were never read, those
// below a record that has changed since, those that are due, and of the others
// as many as keep the requests even, the oldest first.
func (r *round) turn(all []list) []list {
	share := float64(r.now.Sub(r.before)) / float64(r.options.Within)
	even := int(share * float64(len(all)))
	var now []list
	for _, l := range all {
		age := time.Duration(r.now.UnixNano() - l.mark)
		forced := l.mark == 0 || l.touched > l.mark || age >= r.options.Within || age < 0
		if forced || even > 0 {
			now = append(now, l)
			even--
		}
	}
	return now
}

// prune removes changes that are older than the retention.
func (r *round) prune(ctx context.Context) error {
	return r.store.write(ctx, func(tx *transaction) error {
		before := r.now.Add(-r.options.Retention).UnixNano()
		if err := tx.run(`UPDATE %_source SET pruned = coalesce((SELECT max(number) FROM changes WHERE at < ?), pruned)`, before); err != nil {
			return err
		}
		return tx.run(`DELETE FROM changes WHERE number <= (SELECT pruned FROM %_source)`)
	})
}
