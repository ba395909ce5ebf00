package description

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Pos is a position in a file.
type Pos struct {
	File string
	Line int
}

// String returns the position as file and line, like compilers.
func (p Pos) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// faults collects all errors, so that one run reports all of them.
type faults struct{ found []error }

func (f *faults) add(at Pos, format string, arguments ...any) {
	f.found = append(f.found, fmt.Errorf("%s: %s", at, fmt.Sprintf(format, arguments...)))
}

func (f *faults) err() error { return errors.Join(f.found...) }

// source is one file that is being read.
type source struct {
	file string
	*faults
}

func (s source) at(n *yaml.Node) Pos { return Pos{s.file, n.Line} }

// entry is an entry of a mapping.
type entry struct {
	key   string
	value *yaml.Node
	pos   Pos
}

// mapping reads the entries of a mapping in order. It reports duplicate names,
// ignoring case.
func (s source) mapping(n *yaml.Node) []entry {
	if n == nil || n.Tag == "!!null" {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		s.add(s.at(n), "expected one name and value per line")
		return nil
	}
	var entries []entry
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode {
			s.add(s.at(key), "a name must be a string")
			continue
		}
		folded := strings.ToLower(key.Value)
		if line, twice := seen[folded]; twice {
			s.add(s.at(key), "%q is already used in line %d: remove one of them", key.Value, line)
			continue
		}
		seen[folded] = key.Line
		entries = append(entries, entry{key.Value, n.Content[i+1], s.at(key)})
	}
	return entries
}

// fields reads a mapping and reports unknown keys.
func (s source) fields(n *yaml.Node, known ...string) map[string]*yaml.Node {
	read := map[string]*yaml.Node{}
	for _, e := range s.mapping(n) {
		if !slices.Contains(known, e.key) {
			s.add(e.pos, "unknown key %q; the keys here are %s", e.key, strings.Join(known, ", "))
			continue
		}
		read[e.key] = e.value
	}
	return read
}

// text returns the text of a node, or "" if n is nil.
func (s source) text(n *yaml.Node) string {
	if n == nil {
		return ""
	}
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		s.add(s.at(n), "expected a string")
		return ""
	}
	return n.Value
}

// yes returns the value of a boolean node, or false if n is nil.
func (s source) yes(n *yaml.Node) bool {
	if n == nil {
		return false
	}
	if s.text(n) != "true" {
		s.add(s.at(n), "expected true: to set false, remove the line")
	}
	return true
}

// list splits a text at ", ".
func (s source) list(n *yaml.Node) []string {
	joined := s.text(n)
	if joined == "" {
		return nil
	}
	return strings.Split(joined, ", ")
}
