package paging

// Records iterates over the records of one page, once and in order.
type Records interface {
	// Len returns the number of records, including faulty ones.
	Len() int
	// Next decodes the next record into out. read is false if the whole record
	// could not be decoded; faults lists the errors of the record and of its
	// parts. An error ends the walk.
	Next(out any) (read bool, faults []error, err error)
	// Text returns the text of the latest record until the next call of Next,
	// or nil if it is unknown. It distinguishes records with the same key.
	Text() []byte
	// Release releases the memory of the page. Decoded records remain valid.
	Release()
}

// Decoded holds records that were decoded with their page.
type Decoded[T any] struct {
	Items  []T
	Faults []Fault // ordered by Place
	Done   func()  // called by Release; nil: nothing

	place int    // index of the next record
	text  []byte // text of the latest fault; nil for a record
}

// Fault reports a record that could not be decoded. Place is its index in the
// page, Text its text.
type Fault struct {
	Place int
	Text  []byte
	Err   error
}

// Len returns the number of records, including faulty ones.
func (d *Decoded[T]) Len() int { return len(d.Items) + len(d.Faults) }

// Next sets out to the next record and returns true, or returns its fault.
func (d *Decoded[T]) Next(out any) (bool, []error, error) {
	place := d.place
	d.place++
	if len(d.Faults) > 0 && (d.Faults[0].Place == place || len(d.Items) == 0) {
		fault := d.Faults[0]
		d.Faults, d.text = d.Faults[1:], fault.Text
		return false, []error{fault.Err}, nil
	}
	d.text = nil
	*out.(*T) = d.Items[0]
	d.Items = d.Items[1:]
	return true, nil, nil
}

// Text returns the text of the latest fault, and nil for a record.
func (d *Decoded[T]) Text() []byte { return d.text }

// Release calls Done.
func (d *Decoded[T]) Release() {
	if d.Done != nil {
		d.Done()
	}
}
