package practice

import "github.com/practicesdk/practice-go/internal/codec"

// records are the records of one page, to be read once, in their order.
type records[T any] interface {
	Len() int // with those at fault
	// next reads the next record into out, unless it is at fault. An error ends
	// the page.
	next(out *T) (read bool, faults []codec.Fault, err error)
	// release gives up what the page took; records that were read stay.
	release()
}

// textRecords are decoded one by one, from the text of their page.
type textRecords[T any] struct {
	*codec.Elements
	from   outcome
	failed bool // the text is part of an error, and stays
}

func (r *textRecords[T]) next(out *T) (bool, []codec.Fault, error) {
	read, faults, err := r.Next(any(out).(codec.Unmarshaler))
	if err != nil {
		r.failed = true
		return false, nil, r.from.unreadable(err)
	}
	r.from.call.applyVendorPrefix(out)
	return read, faults, nil
}

func (r *textRecords[T]) release() {
	r.Rest()
	if !r.failed {
		r.from.answer.Release()
	}
}

// readRecords have been decoded with their page. Faults are numbered by their
// places among the records.
type readRecords[T any] struct {
	items  []T
	faults []codec.Fault
	place  int
}

func (r *readRecords[T]) Len() int { return len(r.items) + len(r.faults) }

func (r *readRecords[T]) next(out *T) (bool, []codec.Fault, error) {
	place := r.place
	r.place++
	if len(r.faults) > 0 && (r.faults[0].Index == place || len(r.items) == 0) {
		fault := r.faults[:1]
		r.faults = r.faults[1:]
		return false, fault, nil
	}
	*out = r.items[0]
	r.items = r.items[1:]
	return true, nil, nil
}

func (r *readRecords[T]) release() {}
