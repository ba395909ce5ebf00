package replica

import (
	"context"
	"time"
)

// statusView returns the query of copy_status. A kind is complete when each of its
// lists was read whole, and so was the list that shows which parents there are. It
// reflects the service as of the oldest of these.
func (d dialect) statusView() string {
	return `
	WITH expected AS (
		SELECT kind, kind AS list, '' AS parent, 1 AS own FROM copy_kinds WHERE below = ''
		UNION ALL
		SELECT kind, below, '', 0 FROM copy_kinds WHERE below <> ''
		UNION ALL
		SELECT k.kind, k.kind, p.id, 1 FROM copy_kinds k JOIN copy_records p ON p.kind = k.below AND NOT p.deleted
	), lists AS (
		SELECT e.kind, sum(e.own) AS lists, sum(CASE WHEN l.kind IS NULL THEN 0 ELSE e.own END) AS read,
			count(*) - count(l.kind) AS unread, min(coalesce(l.mark, 0)) AS mark
		FROM expected e LEFT JOIN copy_lists l ON l.kind = e.list AND l.parent = e.parent AND l.whole > 0 GROUP BY e.kind
	)
	SELECT k.kind,
		(SELECT count(*) FROM copy_records r WHERE r.kind = k.kind AND NOT r.deleted) AS records,
		(SELECT count(*) FROM copy_records r WHERE r.kind = k.kind AND r.deleted) AS deleted,
		(SELECT count(*) FROM copy_erased r WHERE r.kind = k.kind) AS erased,
		l.lists, l.read AS lists_read,
		CASE WHEN k.refused <> '' OR l.unread > 0 THEN 0 ELSE 1 END AS complete,
		CASE WHEN l.mark > 0 THEN ` + d.time + ` END AS true_at,
		CASE WHEN l.mark > 0 THEN ` + d.now + ` - l.mark / 1000000000 END AS seconds_late,
		k.refused
	FROM copy_kinds k JOIN lists l ON l.kind = k.kind`
}

// KindStatus describes the progress of the copy for one kind.
type KindStatus struct {
	Kind      string
	Records   int       // number of records that are not deleted
	Deleted   int       // number of records that are marked as deleted
	Erased    int       // number of records that Erase has removed
	Lists     int       // number of known lists: one, or one for each parent
	ListsRead int       // number of these that were read completely at least once
	Complete  bool      // whether the first copy is complete
	TrueAt    time.Time // the copy has what the lists showed at this time by the service's clock; zero before it is complete
	Refused   string    // why the kind cannot be read; empty if it can
}

// Status returns the progress of the copy for each kind, parents first. It is
// empty before the first round. The view copy_status has the same values in
// SQL. Status does not send any requests.
func (c *Copy) Status(ctx context.Context) ([]KindStatus, error) {
	var all []KindStatus
	for _, k := range c.kinds {
		var (
			of KindStatus
			at *string
		)
		row := c.store.Row(ctx, `SELECT kind, records, deleted, erased, lists, lists_read, complete, true_at, refused FROM copy_status WHERE kind = ?`, k.name)
		err := row.Scan(&of.Kind, &of.Records, &of.Deleted, &of.Erased, &of.Lists, &of.ListsRead, &of.Complete, &at, &of.Refused)
		if err := ignoreNoRows(err); err != nil {
			return nil, err
		}
		if at != nil {
			of.TrueAt, _ = time.Parse(time.RFC3339, *at) // the view has written it
		}
		if of.Kind != "" {
			all = append(all, of)
		}
	}
	return all, nil
}
