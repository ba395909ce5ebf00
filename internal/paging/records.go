package paging

// Records are the records of one page, read once, in their order.
type Records interface {
	// Len counts them, with those at fault.
	Len() int
	// Next reads the next record into what out points to. read is false for a
	// record at fault as a whole; faults are those of the record and of what is
	// inside. An error ends the walk.
	Next(out any) (read bool, faults []error, err error)
	// Text is the text of the record that Next read last, until the next one is
	// read; nil when it is not known. It tells records of one key apart.
	Text() []byte
	// Release gives up what the page took. Records that were read stay.
	Release()
}

// Decoded are records that were decoded with their page.
type Decoded[T any] struct {
	Items  []T
	Faults []Fault // in the order of their places

	place int // of the next one
}

// Fault is a record that could not be read. Place is where it stands among the
// records of the page, from 0.
type Fault struct {
	Place int
	Err   error
}

// Len counts the records, with those at fault.
func (d *Decoded[T]) Len() int { return len(d.Items) + len(d.Faults) }

// Next returns the next record or, in its place, its fault.
func (d *Decoded[T]) Next(out any) (bool, []error, error) {
	place := d.place
	d.place++
	if len(d.Faults) > 0 && (d.Faults[0].Place == place || len(d.Items) == 0) {
		fault := d.Faults[0].Err
		d.Faults = d.Faults[1:]
		return false, []error{fault}, nil
	}
	*out.(*T) = d.Items[0]
	d.Items = d.Items[1:]
	return true, nil, nil
}

// Text knows none.
func (*Decoded[T]) Text() []byte { return nil }

// Release has nothing to give up.
func (*Decoded[T]) Release() {}
