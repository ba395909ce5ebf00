package codec

// duplicateName is the reason of the error for a duplicate member.
const duplicateName = "a duplicate member name"

// nameStack holds the names read so far in objects without known names.
type nameStack struct {
	text []byte
	ends []int
}

// nameSet is the part of the stack for one object.
type nameSet struct {
	base  int // start in ends
	start int // start in text
	index map[string]struct{}
}

// fewNames is the number of names up to which they are compared one by one;
// beyond it, a map is used.
const fewNames = 16

func (r *Reader) openNames() nameSet {
	return nameSet{base: len(r.names.ends), start: len(r.names.text)}
}

// add adds a name and reports whether it is new.
func (s *nameSet) add(r *Reader, name []byte) bool {
	if s.index != nil {
		return s.addToIndex(name)
	}
	if s.has(&r.names, name) {
		return false
	}
	r.names.text = append(r.names.text, name...)
	r.names.ends = append(r.names.ends, len(r.names.text))
	if len(r.names.ends)-s.base > fewNames {
		s.buildIndex(&r.names)
	}
	return true
}

func (s *nameSet) has(names *nameStack, name []byte) bool {
	start := s.start
	for _, end := range names.ends[s.base:] {
		if string(names.text[start:end]) == string(name) {
			return true
		}
		start = end
	}
	return false
}

func (s *nameSet) buildIndex(names *nameStack) {
	s.index = make(map[string]struct{}, 4*fewNames)
	start := s.start
	for _, end := range names.ends[s.base:] {
		s.index[string(names.text[start:end])] = struct{}{}
		start = end
	}
}

func (s *nameSet) addToIndex(name []byte) bool {
	if _, dup := s.index[string(name)]; dup {
		return false
	}
	s.index[string(name)] = struct{}{}
	return true
}

// drop removes the names at the end of their object.
func (s *nameSet) drop(r *Reader) {
	r.names.ends = r.names.ends[:s.base]
	r.names.text = r.names.text[:s.start]
}
