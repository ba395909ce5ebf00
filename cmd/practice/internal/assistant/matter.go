package assistant

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
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
// returned, or send it: it must name no other matter than the only one, and must
// name that one if the path does not.
func (p *Policy) shows(o practice.Operation, record []byte) bool {
	if p.matter == "" {
		return true
	}
	var members map[string]any
	_ = json.Unmarshal(record, &members) // another value names no matter
	named, other := false, false
	for name, value := range members {
		switch strings.ToLower(name) {
		case "matter", "matterid", "matters", "matterids":
			for _, id := range idsIn(value) {
				same := strings.EqualFold(id, p.matter)
				named, other = named || same, other || !same
			}
		}
	}
	parameter, _ := matterParameter(o)
	return named || !other && parameter.In == practice.InPath
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
