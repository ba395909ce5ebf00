package description

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// CopiedKind is a kind of record that a copy of the firm's records can have. The files
// say what does not follow from the operation that lists the records.
type CopiedKind struct {
	Name      string      // name of its table, such as fees
	List      *Operation  // lists the records, or returns the only one below its parent
	Get       *Operation  // returns one by its id; nil if there is none
	Below     *CopiedKind // kind of the parents, each of which has a list; nil: the firm has one list
	Event     string      // first part of the types of its events; empty: there are none
	Key       string      // member that identifies a record
	Shared    bool        // whether two parents may have records with the same id
	Optional  bool        // whether it is copied only if named, since each parent costs a request
	Arguments []string    // of a list that leaves records out by default, such as Type=Leads

	below string // as the file names it; empty: it follows from the path
	pos   Pos
}

// copied parses what a copy makes of a list: the name of a kind with its
// attributes, or none and the reason.
func (a *areaReader) copied(o *Operation, n *yaml.Node) {
	kind, reason, _ := strings.Cut(a.text(n), ", ")
	words := strings.Fields(kind)
	switch {
	case n == nil:
		return
	case len(words) == 0 || (words[0] == "none") != strings.HasSuffix(reason, "."):
		a.add(a.at(n), "%s: expected the name of a kind, or none and a sentence, as in \"none, it is a search.\"", o.ID)
		return
	case words[0] == "none":
		o.NotCopied = reason
		return
	}
	o.Copied = &CopiedKind{Name: words[0], List: o, Key: "id", pos: a.at(n)}
	a.loader.document.Kinds = append(a.loader.document.Kinds, o.Copied)
	for words = words[1:]; len(words) > 0; {
		taken, known := o.Copied.attribute(words)
		if !known {
			a.add(a.at(n), "unknown word %q of a copy; the words are by, below, with, shared, optional", words[0])
		}
		words = words[taken:]
	}
}

// attribute parses one attribute with its value, and returns the number of
// words consumed.
func (k *CopiedKind) attribute(words []string) (taken int, known bool) {
	value := words[min(1, len(words)-1)]
	switch words[0] {
	case "shared":
		k.Shared = true
		return 1, true
	case "optional":
		k.Optional = true
		return 1, true
	case "by":
		k.Key = value
	case "below":
		k.below = value
	case "with":
		k.Arguments = append(k.Arguments, value)
	default:
		return 1, false
	}
	return min(2, len(words)), true
}

// kinds adds what follows for the kinds from the operations, and puts parents
// before the kinds below them.
func (l *loader) kinds() {
	for _, k := range l.document.Kinds {
		before, _, isBelow := strings.Cut(k.List.Path, "/{")
		for _, other := range l.document.Kinds {
			if isBelow && (other.Name == k.below || k.below == "" && other.List.Path == before) {
				k.Below = other
			}
			if other != k && other.Name == k.Name {
				l.add(k.pos, "the kind %q is also at %s: choose another name", k.Name, other.pos)
			}
		}
		if isBelow && k.Below == nil {
			l.add(k.pos, "%s: no kind is listed at %q: name the kind of the parents, as in \"%s below matters\"", k.List.ID, before, k.Name)
		}
		if k.record().Member(k.Key) == nil {
			l.add(k.pos, "%s: the records have no %s: name the member that identifies one, as in \"%s by matter\"", k.List.ID, k.Key, k.Name)
		}
		for _, argument := range k.Arguments {
			name, _, _ := strings.Cut(argument, "=")
			if !slices.ContainsFunc(k.List.Query, func(p *Parameter) bool { return p.Name == name }) {
				l.add(k.pos, "%s has no parameter %q", k.List.ID, name)
			}
		}
		for _, p := range l.document.Payloads {
			if p.Schema == k.record() {
				k.Event, _, _ = strings.Cut(p.Event, ".")
			}
		}
		k.Get = l.document.readByID(k)
	}
	slices.SortStableFunc(l.document.Kinds, func(a, b *CopiedKind) int { return a.depth() - b.depth() })
}

// record returns the schema of the records, without members if they are no
// objects.
func (k *CopiedKind) record() *Schema {
	if t := k.List.Answer; t != nil && t.Ref != nil {
		return t.Ref
	}
	return &Schema{}
}

// readByID returns the operation that reads one record of a list, in the same
// form, by the member id.
func (d *Document) readByID(k *CopiedKind) *Operation {
	return d.find(func(o *Operation) bool {
		id, found := strings.CutPrefix(o.Path, k.List.Path+"/{")
		return found && strings.Index(id, "}") == len(id)-1 && k.Key == "id" && o.Class == "read" && o.Answer != nil && o.Answer.Ref == k.record()
	})
}

func (k *CopiedKind) depth() (depth int) {
	for parent := k.Below; parent != nil && depth < 8; parent = parent.Below {
		depth++
	}
	return depth
}

// Since returns the parameter of the list for changed records; "" if there is
// none.
func (k *CopiedKind) Since() string {
	if k.List.Paging != nil {
		for _, filter := range k.List.Paging.Since {
			if !filter.Deprecated {
				return filter.Name
			}
		}
	}
	return ""
}

// Fields returns the members that the list has only on request.
func (k *CopiedKind) Fields() (all []string) {
	for _, p := range k.List.Query {
		if p.Name == "Fields" && p.Type.Enum != nil {
			for _, v := range p.Type.Enum.Values {
				all = append(all, v.Value)
			}
		}
	}
	return all
}

// Deletion returns the member that shows that a record is deleted, and its
// value; "" if there is none.
func (k *CopiedKind) Deletion() (member, value string) {
	for _, m := range k.record().Members {
		switch m.Name {
		case "isDeleted", "deleted", "former", "isFormerUser":
			return m.Name, "true"
		case "status":
			if m.Type.Enum != nil && slices.ContainsFunc(m.Type.Enum.Values, func(v EnumValue) bool { return v.Name == "Deleted" }) {
				return m.Name, "Deleted"
			}
		}
	}
	return "", ""
}

// Version returns the members that change with a record, and the one of them
// whose values have an order; "" if there is none. A version id in the form of a
// text can be a time.
func (k *CopiedKind) Version() (members []string, order string) {
	for _, m := range k.record().Members {
		switch {
		case m.Name == "lastUpdated", m.Name == "versionId" && m.Type.Kind == Text && order == "":
			members, order = append(members, m.Name), m.Name
		case m.Name == "versionId":
			members = append(members, m.Name)
		}
	}
	return members, order
}
