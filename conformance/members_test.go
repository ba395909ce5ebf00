package conformance_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// finding is a member in a JSON text, named with its schema, such as
// "FeePatch.sourceItems[].duration".
type finding struct {
	name      string
	described bool
}

// findMembers returns the members of a JSON text, except those of free-form
// objects, which have no description. Schemas without a name are named after
// the operation.
func findMembers(schema *openapi3.SchemaRef, text []byte, operation string) ([]finding, error) {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	var found []finding
	visitMembers(schema, value, operation, func(f finding) { found = append(found, f) })
	return found, nil
}

func visitMembers(ref *openapi3.SchemaRef, value any, name string, found func(finding)) {
	name = schemaName(ref, name)
	if alternative := nearest(ref.Value.AnyOf, value); alternative != nil {
		visitMembers(alternative, value, name, found)
	}
	switch value := value.(type) {
	case []any:
		if ref.Value.Items != nil {
			for _, item := range value {
				visitMembers(ref.Value.Items, item, name+"[]", found)
			}
		}
	case map[string]any:
		for member, inside := range value {
			property := ref.Value.Properties[member]
			if property == nil && len(ref.Value.Properties) == 0 {
				continue
			}
			found(finding{name: name + "." + member, described: property != nil})
			if property != nil {
				visitMembers(property, inside, name+"."+member, found)
			}
		}
	}
}

// nearest returns the alternative that matches a value and has the most of its
// members, because a page and a record are both objects. It returns nil if none
// matches.
func nearest(alternatives openapi3.SchemaRefs, value any) (best *openapi3.SchemaRef) {
	most := -1
	for _, alternative := range alternatives {
		if !admits(alternative.Value, value) {
			continue
		}
		known := 0
		object, _ := value.(map[string]any)
		for member := range object {
			if alternative.Value.Properties[member] != nil {
				known++
			}
		}
		if known > most {
			best, most = alternative, known
		}
	}
	return best
}

// schemaName returns the name of a schema in the document, or its position.
func schemaName(ref *openapi3.SchemaRef, place string) string {
	if ref.Ref == "" {
		return place
	}
	return ref.Ref[strings.LastIndex(ref.Ref, "/")+1:]
}

func admits(schema *openapi3.Schema, value any) bool {
	switch value.(type) {
	case []any:
		return schema.Type.Is("array")
	case map[string]any:
		return schema.Type.Is("object")
	}
	return false
}

// describedMembers returns the members of a schema, with the names of
// findMembers.
func describedMembers(ref *openapi3.SchemaRef, place string) []string {
	names := map[string]bool{}
	collectMembers(ref, place, names, map[string]bool{})
	return slices.Sorted(maps.Keys(names))
}

func collectMembers(ref *openapi3.SchemaRef, place string, names, visited map[string]bool) {
	if ref == nil || visited[ref.Ref] {
		return
	}
	if ref.Ref != "" {
		visited[ref.Ref] = true
	}
	place = schemaName(ref, place)
	for _, alternative := range ref.Value.AnyOf {
		collectMembers(alternative, place, names, visited)
	}
	collectMembers(ref.Value.Items, place+"[]", names, visited)
	for member, property := range ref.Value.Properties {
		names[place+"."+member] = true
		collectMembers(property, place+"."+member, names, visited)
	}
}

// unknownMembers returns the members without a description, except those in the
// table.
func unknownMembers(members []finding, err error) []error {
	if err != nil {
		return []error{err}
	}
	var unknown []error
	for _, member := range members {
		if _, expected := undescribed[member.name]; !member.described && !expected {
			unknown = append(unknown, fmt.Errorf("the member %s is not described", member.name))
		}
	}
	return unknown
}
