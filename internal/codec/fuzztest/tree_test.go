package fuzztest

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/practicesdk/practice-go/internal/codec"
)

// node is a JSON value as the strict parser returns it.
type node struct {
	kind    jsontext.Kind // one of n f t " 0 { [
	text    string        // of a string, unescaped; of a number, as written
	names   []string      // names of an object's members
	members []*node       // values of an object's members, or elements of a list
}

var errDepth = errors.New("nested too deeply")

// parse parses exactly one value. Duplicate names are an error unless options
// allow them; invalid UTF-8 in strings becomes U+FFFD.
func parse(data []byte, options ...jsontext.Options) (*node, error) {
	options = append([]jsontext.Options{jsontext.AllowInvalidUTF8(true)}, options...)
	dec := jsontext.NewDecoder(bytes.NewReader(data), options...)
	tree, err := parseValue(dec)
	if err != nil {
		return nil, err
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one value")
	}
	return tree, nil
}

func parseValue(dec *jsontext.Decoder) (*node, error) {
	token, err := dec.ReadToken()
	if err != nil {
		return nil, err
	}
	n := &node{kind: token.Kind()}
	switch n.kind {
	case '"', '0':
		n.text = token.String()
	case '{', '[':
		if dec.StackDepth() > codec.MaxDepth {
			return nil, errDepth
		}
		return n, n.parseMembers(dec)
	}
	return n, nil
}

func (n *node) parseMembers(dec *jsontext.Decoder) error {
	for dec.PeekKind() != '}' && dec.PeekKind() != ']' {
		if n.kind == '{' {
			name, err := dec.ReadToken()
			if err != nil {
				return err
			}
			n.names = append(n.names, name.String())
		}
		member, err := parseValue(dec)
		if err != nil {
			return err
		}
		n.members = append(n.members, member)
	}
	_, err := dec.ReadToken()
	return err
}

// member returns the value of the member with the name, or nil.
func (n *node) member(name string) *node {
	for i := range n.names {
		if n.names[i] == name {
			return n.members[i]
		}
	}
	return nil
}

// isNothing reports whether the value is null or {}.
func (n *node) isNothing() bool {
	return n.kind == 'n' || (n.kind == '{' && len(n.members) == 0)
}
