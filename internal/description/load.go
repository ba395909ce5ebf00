package description

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Joined is the name of the file generated from the others.
const Joined = "openapi.yaml"

// Load reads the files *.yaml of fsys, except the joined one. Its error lists
// every fault with file and line.
func Load(fsys fs.FS) (*Document, error) {
	names, err := fs.Glob(fsys, "*.yaml")
	if err != nil {
		return nil, err
	}
	l := &loader{
		document: &Document{Schemas: map[string]*Schema{}, Enums: map[string]*Enum{}},
		faults:   &faults{},
		folded:   map[string]Pos{},
	}
	slices.Sort(names)
	for _, name := range names {
		if name == Joined {
			continue
		}
		if err := l.file(fsys, name); err != nil {
			return nil, err
		}
	}
	for len(l.later) > 0 { // one may add another
		resolve := l.later[0]
		l.later = l.later[1:]
		resolve()
	}
	for _, s := range l.document.Schemas {
		s.inherit()
	}
	l.kinds()
	l.check()
	l.samples(fsys)
	if err := l.err(); err != nil {
		return nil, err
	}
	return l.document, nil
}

// loader reads the files. It resolves references between files at the end.
type loader struct {
	document *Document
	*faults
	later  []func()
	folded map[string]Pos // names of schemas and enumerations in lower case
}

func (l *loader) file(fsys fs.FS, name string) error {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return err
	}
	var root yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&root); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: expected one YAML document", name)
	}
	if len(root.Content) != 1 {
		return fmt.Errorf("%s: the file is empty", name)
	}
	a := &areaReader{source: source{name, l.faults}, loader: l, area: &Area{
		File: strings.TrimSuffix(path.Base(name), ".yaml"),
		Pos:  Pos{name, 1},
	}}
	a.read(root.Content[0])
	l.document.Areas = append(l.document.Areas, a.area)
	return nil
}

// areaReader reads one file.
type areaReader struct {
	source
	loader *loader
	area   *Area
	scope  string
	// assistants is why an assistant may not call any write; empty if some may be
	// allowed.
	assistants string
	flags      []string
	shared     map[string]func() *Parameter
	used       map[string]bool
}

func (a *areaReader) read(n *yaml.Node) {
	f := a.fields(n, "area", "doc", "scope", "assistants", "flags", "parameters", "operations", "records", "values", "pages", "bodies", "enums", "payloads")
	a.area.Name = a.text(f["area"])
	a.area.Doc = a.text(f["doc"])
	a.scope = a.text(f["scope"])
	a.assistants = a.effect(f["assistants"])
	a.flags = a.list(f["flags"])
	a.parameters(f["parameters"])
	for _, e := range a.mapping(f["operations"]) {
		a.area.Operations = append(a.area.Operations, a.operation(e))
	}
	for _, section := range []struct {
		name string
		kind SchemaKind
	}{{"records", Record}, {"values", Value}, {"pages", Page}, {"bodies", BodySchema}} {
		for _, e := range a.mapping(f[section.name]) {
			a.schema(e, section.kind)
		}
	}
	for _, e := range a.mapping(f["enums"]) {
		a.enum(e)
	}
	for _, e := range a.mapping(f["payloads"]) {
		a.loader.later = append(a.loader.later, func() {
			a.loader.document.Payloads = append(a.loader.document.Payloads, Payload{Event: e.key, Schema: a.other(e.value)})
		})
	}
	a.loader.later = append(a.loader.later, a.unused)
}

// unused reports parameters that no operation uses.
func (a *areaReader) unused() {
	for name := range a.shared {
		if !a.used[name] {
			a.add(a.area.Pos, "no operation has the parameter %q: remove it", name)
		}
	}
}

// name registers the name of a schema or an enumeration, and reports a
// duplicate.
func (l *loader) name(name string, at Pos) {
	folded := strings.ToLower(name)
	if first, twice := l.folded[folded]; twice {
		l.add(at, "%q is already defined at %s: choose a different name", name, first)
		return
	}
	l.folded[folded] = at
}

// samples reads the sample with the most members for the body of each
// operation, without white space. An operation without a sample uses that of
// another operation with the same body.
func (l *loader) samples(fsys fs.FS) {
	bodies := map[string]string{}
	for o := range l.document.Operations() {
		text, err := fs.ReadFile(fsys, "samples/requests/"+o.ID+".full.json")
		if err != nil || o.Body == nil {
			continue
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, text); err != nil {
			l.add(o.Pos, "the sample of %s is not valid JSON: %v", o.ID, err)
		}
		if bytes.HasPrefix(compact.Bytes(), []byte("[")) != o.Body.List {
			continue // the sample is for another form of the body
		}
		o.Sample = compact.String()
		one := []json.RawMessage{compact.Bytes()}
		if o.Body.List && (json.Unmarshal(one[0], &one) != nil || len(one) == 0) {
			continue // an empty list
		}
		bodies[o.Body.Type.String()] = string(one[0])
	}
	for o := range l.document.Operations() {
		if o.Body != nil && o.Sample == "" && !o.Body.List {
			o.Sample = bodies[o.Body.Type.String()]
		}
	}
}
