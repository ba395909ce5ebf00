package assistant

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/google/uuid"

	"github.com/practicesdk/practice-go/cmd/practice/internal/shape"
	"github.com/practicesdk/practice-go/internal/members"
	"github.com/practicesdk/practice-go/models"
)

// cleaner removes from records what an assistant must not see.
type cleaner struct {
	personal bool // whether it may see personal data besides names and e-mail addresses
}

// view holds what is known about a value.
type view struct {
	kind   reflect.Type // nil: the description does not know the value
	secret bool
	hidden bool // personal data that must not be seen
}

// cleaning is one pass over a text.
type cleaning struct {
	cleaner
	d       *json.Decoder
	b       bytes.Buffer
	depth   int
	dropped int // values that were removed
}

// maxDepth is the number of lists and objects inside of each other that a
// record may have.
const maxDepth = 500

func (c cleaner) begin(text []byte) *cleaning {
	p := &cleaning{cleaner: c, d: json.NewDecoder(bytes.NewReader(text))}
	p.d.UseNumber()
	return p
}

// clean returns the JSON text of a record without secrets, without signed
// addresses, and without personal data unless the cleaner lets it pass. kind is
// the type of the record; nil: unknown.
func (c cleaner) clean(text []byte, kind reflect.Type) ([]byte, error) {
	p := c.begin(text)
	kept, err := p.value(view{kind: plain(kind)})
	if err == nil {
		_, err = p.d.Token()
	}
	switch {
	case !errors.Is(err, io.EOF):
		return nil, errors.New("the response is not a single JSON value, or is nested too deeply")
	case !kept:
		return []byte("null"), nil
	}
	return p.b.Bytes(), nil
}

// value writes the next value, and reports whether it may be seen.
func (p *cleaning) value(v view) (kept bool, err error) {
	token, err := p.token()
	if err != nil {
		return false, err
	}
	kept = true
	switch token := token.(type) {
	case json.Delim:
		return p.composite(v, token == '{')
	case string:
		kept = !signed(token, v.kind == nil) && (v.kind != nil || p.harmless(token))
	}
	return kept && !v.secret && !v.hidden, p.write(token)
}

// write writes a text, a number, a boolean or null.
func (p *cleaning) write(value any) error {
	e := json.NewEncoder(&p.b)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	p.b.Truncate(max(0, p.b.Len()-1)) // the line break
	return err
}

// token returns the next token of a value, which has not ended.
func (p *cleaning) token() (json.Token, error) {
	token, err := p.d.Token()
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return token, err
}

// composite writes the rest of an object or a list.
func (p *cleaning) composite(v view, object bool) (kept bool, err error) {
	if p.depth++; p.depth > maxDepth {
		return false, errors.New("nested too deeply")
	}
	defer func() { p.depth-- }()
	ends := "[]"
	if object {
		ends = "{}"
	}
	p.b.WriteByte(ends[0])
	count := 0
	for p.d.More() {
		before, of, needless := p.b.Len(), v.element(), false
		if count > 0 {
			p.b.WriteByte(',')
		}
		if object {
			name, err := p.token()
			if err != nil {
				return false, err
			}
			if err := p.write(name); err != nil {
				return false, err
			}
			p.b.WriteByte(':')
			of = p.member(v, name.(string))
			needless = ofHypermedia(v.kind, name.(string))
		}
		at := p.b.Len()
		kept, err := p.value(of)
		if err != nil {
			return false, err
		}
		if !kept {
			p.dropped++
		}
		if needless = needless || v.kind != nil && object && string(p.b.Bytes()[at:]) == "null"; kept && !needless {
			count++
		} else {
			p.b.Truncate(before)
		}
	}
	p.b.WriteByte(ends[1])
	_, err = p.token()
	return !v.secret && (!v.hidden || count > 0), err
}

// ofHypermedia reports whether a member of a described object only tells how to
// reach a record.
func ofHypermedia(kind reflect.Type, name string) bool {
	if kind == nil || kind.Kind() != reflect.Struct || !slices.Contains([]string{"href", "method", "relation", "rel", "self"}, name) {
		return false
	}
	_, within := kind.FieldByName("Hypermedia")
	return within || kind == reflect.TypeFor[models.Link]() && name != "href"
}

// element returns the view of an element of a list.
func (v view) element() view {
	if v.kind != nil && (v.kind.Kind() == reflect.Slice || v.kind.Kind() == reflect.Array) {
		v.kind = plain(v.kind.Elem())
	}
	return v
}

// member returns the view of a member of an object. A name in another case than
// the described one is that of a secret if the described one is.
func (c cleaner) member(v view, name string) view {
	m := view{secret: v.secret, hidden: v.hidden}
	if v.kind != nil && v.kind.Kind() == reflect.Map {
		m.kind = plain(v.kind.Elem())
		m.secret = m.secret || namesSecret(name)
		return m
	}
	described, kind := field(v.kind, name)
	if kind == nil {
		m.secret = m.secret || namesSecret(name)
		return m
	}
	m.secret = m.secret || isSecretKind(kind)
	if described == name {
		m.kind = plain(kind)
	}
	if members.Personal(v.kind.Name(), described) {
		m.hidden = true
	}
	if m.hidden = m.hidden && !c.personal; m.hidden && strings.Contains(namesAndMail, " "+described+" ") && (m.kind == nil || m.kind.Kind() != reflect.Struct) {
		m.hidden = false
	}
	return m
}

// namesAndMail holds the members with names and e-mail addresses, which may be
// seen.
const namesAndMail = " title firstName middleName lastName nameSuffix customName otherNames initials name attorneyName attorneyNames payorName accountName email from to "

// field returns the JSON name and the type of a member, whose name is compared
// without case unless one is equal; nil if there is none.
func field(kind reflect.Type, name string) (described string, of reflect.Type) {
	if kind == nil || kind.Kind() != reflect.Struct {
		return "", nil
	}
	for _, f := range reflect.VisibleFields(kind) {
		tag := shape.NameOf(f)
		if tag != "" && (tag == name || of == nil && strings.EqualFold(tag, name)) {
			described, of = tag, f.Type
		}
	}
	return described, of
}

// plain returns the type of the values of an optional member or behind a
// pointer; nil for a type whose content is not described.
func plain(kind reflect.Type) reflect.Type {
	kind = shape.Plain(kind)
	switch kind {
	case reflect.TypeFor[models.Object](), reflect.TypeFor[models.Extra](), reflect.TypeFor[json.RawMessage](), reflect.TypeFor[any]():
		return nil
	}
	return kind
}

// namesSecret reports whether the name of an unknown member says that its value
// is a secret.
func namesSecret(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"key", "token", "secret", "password"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// signed reports whether a text is an address with a query, a fragment or a
// password, which may be a signature. If anywhere is true, a text that contains
// one is signed too, and so is an address whose path has a segment like a key.
func signed(text string, anywhere bool) bool {
	words := strings.Fields(text)
	if !anywhere && len(words) != 1 {
		return false
	}
	for _, word := range words {
		if unescaped, err := url.PathUnescape(word); err == nil {
			word = unescaped
		}
		_, behind, absolute := strings.Cut(word, "//")
		if host, path, _ := strings.Cut(behind, "/"); absolute && (strings.Contains(host, "@") || anywhere && hasKey(path)) {
			return true
		}
		at := strings.IndexAny(word, "?#")
		if at < 0 {
			continue
		}
		address, rest := word[:at], word[at:]
		if strings.Contains(address, "//") && rest[0] == '?' || strings.Contains(address, "/") && strings.Contains(rest, "=") {
			return true
		}
	}
	return false
}

// hasKey reports whether a segment of a path is like a random key: long, of
// letters and digits, and no id of a record.
func hasKey(path string) bool {
	const shortest = 16
	return slices.ContainsFunc(strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune("/,;)>\"'", r) }), func(segment string) bool {
		return len(segment) >= shortest && uuid.Validate(segment) != nil && strings.ContainsAny(segment, "0123456789") && strings.ContainsFunc(segment, unicode.IsLetter) &&
			!strings.ContainsAny(segment, ". ")
	})
}

// harmless reports whether an unknown text is not itself JSON with something
// that must not be seen.
func (c cleaner) harmless(text string) bool {
	if text = strings.TrimSpace(text); text == "" || !strings.ContainsRune(`{["`, rune(text[0])) {
		return true
	}
	inner := c.begin([]byte(text))
	kept, err := inner.value(view{})
	if err != nil {
		return !namesSecret(text)
	}
	return kept && inner.dropped == 0
}
