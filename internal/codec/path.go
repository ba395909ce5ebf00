package codec

import "strconv"

// path returns the path of the value at offset, inside the isolated element
// being read. It scans the text again, so that decoding without errors costs
// nothing. It scans only from the start of the element, so that a page full of
// faults does not take quadratic time.
func (r *Reader) path(offset int) string {
	if r.within == nil {
		return string(appendPath(nil, r.data[:offset]))
	}
	return string(appendPath([]byte(r.within.element(r.data)), r.data[r.within.begin:offset]))
}

// element returns the path of the isolated element.
func (p *isolation) element(data []byte) string {
	if p.path == "" && p.list > 0 {
		if p.outer == nil {
			p.path = string(appendPath(nil, data[:p.list]))
		} else {
			p.path = string(appendPath([]byte(p.outer.element(data)), data[p.outer.begin:p.list]))
		}
	}
	return p.path + "[" + strconv.Itoa(p.index) + "]"
}

// step is an object or list on a path.
type step struct {
	name  []byte // name of the current member of an object; nil before the first
	index int    // index of the current element of a list
	list  bool
	named bool // the next string is a value and not a name
}

// appendPath appends the path to the end of text, which the reader has already
// validated.
func appendPath(path []byte, text []byte) []byte {
	var steps []step
	for i := 0; i < len(text); i++ {
		last := len(steps) - 1
		switch text[i] {
		case '{', '[':
			steps = append(steps, step{list: text[i] == '['})
		case '}', ']':
			steps = steps[:last]
		case ',':
			steps[last].index++
			steps[last].named = false
		case '"':
			end := stringEnd(text, i)
			if last >= 0 && !steps[last].list && !steps[last].named {
				steps[last].name, steps[last].named = text[i+1:end], true
			}
			i = end
		}
	}
	return appendSteps(path, steps)
}

func appendSteps(path []byte, steps []step) []byte {
	for _, s := range steps {
		switch {
		case s.list:
			path = append(strconv.AppendInt(append(path, '['), int64(s.index), 10), ']')
		case s.named:
			if len(path) > 0 {
				path = append(path, '.')
			}
			path = append(path, s.name...)
		}
	}
	return path
}
