package assistant

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	practice "github.com/practicesdk/practice-go"
)

// matterParameter returns the parameter of an operation that names a matter, and
// reports whether there is one.
func matterParameter(o practice.Operation) (practice.Parameter, bool) {
	for _, p := range o.Parameters {
		if strings.EqualFold(p.Name, "matterId") {
			return p, true
		}
	}
	return practice.Parameter{}, false
}

// concerns reports whether an operation is about the only matter, or whether all
// matters are open.
func (p *Policy) concerns(o practice.Operation) bool {
	_, named := matterParameter(o)
	return p.matter == "" || named
}

// bound returns the arguments with the only matter, or an error if they name
// another one.
func (p *Policy) bound(o practice.Operation, arguments map[string]any) (map[string]any, error) {
	parameter, named := matterParameter(o)
	if p.matter == "" || !named {
		return arguments, nil
	}
	if given, there := arguments[parameter.Name]; there && !strings.EqualFold(fmt.Sprint(given), p.matter) {
		return nil, fmt.Errorf("%s must be %s: the assistant can access only that matter", parameter.Name, p.matter)
	}
	arguments = maps.Clone(arguments)
	if arguments == nil {
		arguments = map[string]any{}
	}
	arguments[parameter.Name] = p.matter
	return arguments, nil
}

// shows reports whether the assistant may see a record that an operation
// returned: it must name the only matter or, if the path does, no other one.
func (p *Policy) shows(o practice.Operation, record []byte) bool {
	named, other := p.names(record)
	parameter, _ := matterParameter(o)
	return p.matter == "" || named || !other && parameter.In == practice.InPath
}

// names reports whether a record or a body, in JSON, has the only matter in a
// member of its own, and whether it names another one at any depth: a link
// within the record of another matter does not make it one of the only matter.
func (p *Policy) names(record []byte) (only, other bool) {
	var value any
	_ = json.Unmarshal(record, &value) // another value names no matter
	isOnly := func(id string) bool { return strings.EqualFold(id, p.matter) }
	members, _ := value.(map[string]any)
	return slices.ContainsFunc(mattersOf(members), isOnly),
		slices.ContainsFunc(mattersIn(value), func(id string) bool { return !isOnly(id) })
}

// ofMatter matches the address of a matter or of what is below it.
var ofMatter = regexp.MustCompile(`(?i)/matters/([^/?#]+)`)

// mattersOf returns the ids of the matters that an object itself names: by
// members such as matterId, and by its address.
func mattersOf(members map[string]any) (ids []string) {
	for name, member := range members {
		switch strings.ToLower(name) {
		case "matter", "matterid", "matters", "matterids":
			ids = append(ids, idsIn(member)...)
		case "href":
			text, _ := member.(string)
			for _, found := range ofMatter.FindAllStringSubmatch(text, -1) {
				ids = append(ids, found[1])
			}
		}
	}
	return ids
}

// mattersIn returns the ids of the matters that a value names at any depth.
func mattersIn(value any) (ids []string) {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			ids = append(ids, mattersIn(element)...)
		}
	case map[string]any:
		ids = mattersOf(value)
		for _, member := range value {
			ids = append(ids, mattersIn(member)...)
		}
	}
	return ids
}

// idsIn returns the ids in the value of a member: a text, a link or a list of
// them.
func idsIn(value any) (ids []string) {
	switch value := value.(type) {
	case string:
		if value != "" {
			ids = append(ids, value)
		}
	case []any:
		for _, element := range value {
			ids = append(ids, idsIn(element)...)
		}
	case map[string]any:
		id, _ := value["id"].(string)
		if href, _ := value["href"].(string); id == "" && href != "" {
			id = path.Base(href)
		}
		ids = append(ids, idsIn(id)...)
	}
	return ids
}
