package replica

// known holds the state of a record in the copy.
type known struct {
	stamp   int64  // time of the last change in ticks; 0: the version has no order
	hash    string // of the content; empty: the copy does not have the record
	parent  string // whose list has it
	deleted bool
	proven  bool  // whether a read by id has shown that it is not there
	missed  int64 // complete walks, or reads for hints, in a row that did not have it; -1: the last walk had an older version
	seen    int64 // number of the last walk that had it
	read    int64 // number that walks had when it was last read by its id
}

// sighting is a record in a response.
type sighting struct {
	stamp   int64
	hash    string
	parent  string
	deleted bool
	number  int64 // number of the walk; of a read by id, the number that walks had
	byID    bool
}

// Change is the kind of a change of a record.
type Change string

// Changes of a record.
const (
	Created  Change = "created"
	Updated  Change = "updated"
	Deleted  Change = "deleted"
	Restored Change = "restored" // it was deleted
	none     Change = ""
)

// verdict holds the consequences of an observation of a record.
type verdict struct {
	next   known
	change Change
	ask    bool // whether the record must be read by its id before anything follows
}

// see returns the verdict on a record in a response. A read by id is the truth.
// A record in a list that is older than its copy is read by its id, or else
// accepted when two walks in a row have it. If versions have no order, a read by
// id outweighs a list that was requested before it. A record that a read by id
// did not find is not restored by a list alone.
func see(was known, s sighting, canRead bool) verdict {
	next := was
	next.missed = 0
	if s.byID {
		next.read, next.proven = s.number, false
	} else {
		next.seen = s.number
	}
	old := !s.byID && older(was, s) // either the list lags, or the version went back
	switch {
	case was.hash == "":
		next.stamp, next.hash, next.parent, next.deleted = s.stamp, s.hash, s.parent, s.deleted
		return verdict{next: next, change: changeOf(true, false, s.deleted)}
	case was.proven && !s.byID && !s.deleted:
		return verdict{next: next, ask: canRead}
	case old && canRead:
		return verdict{next: next, ask: was.stamp > s.stamp && s.stamp != 0}
	case old && was.seen == s.number:
		next.missed = was.missed // the walk had it before
		return verdict{next: next}
	case old && was.missed >= 0:
		next.missed = -1
		return verdict{next: next}
	case was.hash == s.hash && was.deleted == s.deleted && was.parent == s.parent:
		next.stamp = s.stamp
		return verdict{next: next}
	}
	next.stamp, next.hash, next.parent, next.deleted = s.stamp, s.hash, s.parent, s.deleted
	change := changeOf(false, was.deleted, s.deleted)
	if change == none && !s.deleted {
		change = Updated
	}
	return verdict{next: next, change: change}
}

// older reports whether a record in a list is older than its copy.
func older(was known, s sighting) bool {
	if was.stamp != 0 && s.stamp != 0 {
		return s.stamp < was.stamp
	}
	return was.read >= s.number
}

// absent returns the verdict if a complete walk of the whole list did not have
// a record. It may have moved between two pages, so this proves nothing.
func absent(was known, canRead bool) verdict {
	if was.deleted || canRead {
		return verdict{next: was, ask: !was.deleted}
	}
	was.missed = max(was.missed, 0) + 1
	if was.missed < 2 {
		return verdict{next: was}
	}
	was.deleted = true
	return verdict{next: was, change: Deleted}
}

// gone returns the verdict if a read by id did not find a record. If only a hint
// led to the read, this proves nothing until a second one confirms it.
func gone(was known, number int64, hinted bool) verdict {
	if hinted && !was.deleted && was.missed < 1 {
		was.missed = 1
		return verdict{next: was, ask: true}
	}
	change := changeOf(false, was.deleted, true)
	was.deleted, was.proven, was.read, was.missed = true, true, number, 0
	return verdict{next: was, change: change}
}

func changeOf(fresh, was, is bool) Change {
	switch {
	case is && (fresh || !was):
		return Deleted
	case fresh:
		return Created
	case was && !is:
		return Restored
	}
	return none
}
