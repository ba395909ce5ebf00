package replica

import (
	"context"
	"time"
)

// Progress describes the progress of a round.
type Progress struct {
	Kind    string        // the kind that is being read
	Records int           // records of the kind that the round has read
	Lists   int           // lists of the round whose parents are known
	Read    int           // number of these that were read
	Left    time.Duration // remaining time, estimated from the lists read so far; 0 if unknown
}

// expect begins the progress of the kind at index i, of which lists are due. The
// kinds behind it are expected to have a list below each parent.
func (r *round) expect(ctx context.Context, i, lists int) error {
	if r.options.Progress == nil {
		return nil
	}
	r.far = Progress{Kind: r.kinds[i].name, Lists: r.far.Read + lists, Read: r.far.Read}
	for _, k := range r.kinds[i+1:] {
		parents := 1
		if k.below != "" {
			err := r.store.Row(ctx, `SELECT count(*) FROM %_records WHERE kind = ? AND NOT deleted`, k.below).Scan(&parents)
			if err != nil {
				return err
			}
		}
		r.far.Lists += parents
	}
	return nil
}

// readOne reports that a list was read.
func (r *round) readOne() {
	r.far.Read++
	r.far.Left = r.watch.Passed() / time.Duration(r.far.Read) * time.Duration(max(0, r.far.Lists-r.far.Read))
	r.tell()
}

func (r *round) tell() {
	if r.options.Progress != nil {
		r.options.Progress(r.far)
	}
}
