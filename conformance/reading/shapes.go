package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/practicesdk/practice-go/api"
)

// shapes holds the schemas of the responses by operation.
type shapes struct {
	operations map[string]*openapi3.Operation
	formats    []openapi3.SchemaValidationOption
}

func loadShapes() (*shapes, error) {
	described, err := openapi3.NewLoader().LoadFromData([]byte(api.OpenAPI()))
	if err != nil {
		return nil, err
	}
	s := &shapes{map[string]*openapi3.Operation{}, formats()}
	for _, item := range described.Paths.Map() {
		for _, operation := range item.Operations() {
			s.operations[operation.OperationID] = operation
		}
	}
	return s, nil
}

// judge returns the rules that a response violates, by the names of members and
// without duplicates. The result contains no values of the response.
func (s *shapes) judge(operation string, status int, text []byte) []string {
	described := s.operations[operation].Responses.Status(status)
	if described == nil {
		return []string{fmt.Sprintf("status %d is not described", status)}
	}
	content := described.Value.Content.Get("application/json")
	if content == nil {
		return []string{"a body where none is described"}
	}
	var value any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if decoder.Decode(&value) != nil {
		return []string{"the body is no JSON"}
	}
	broken := map[string]bool{}
	s.visit(content.Schema, value, "the answer", func(rule string) { broken[rule] = true })
	return slices.Sorted(maps.Keys(broken))
}

// visit compares a value with its schema. It names members with their schema,
// such as Fee.rate.
func (s *shapes) visit(ref *openapi3.SchemaRef, value any, name string, broken func(rule string)) {
	if ref.Ref != "" {
		name = ref.Ref[strings.LastIndex(ref.Ref, "/")+1:]
	}
	if alternative := s.nearest(ref.Value.AnyOf, value); alternative != nil {
		s.visit(alternative, value, name, broken)
		return
	}
	schema := ref.Value
	switch value := value.(type) {
	case []any:
		if !isA(schema, "array") {
			broken(name + ": a list that is not described")
			return
		}
		for _, item := range value {
			s.visit(schema.Items, item, name+"[]", broken)
		}
	case map[string]any:
		if !isA(schema, "object") {
			broken(name + ": an object that is not described")
			return
		}
		for _, member := range schema.Required {
			if _, there := value[member]; !there {
				broken(name + "." + member + ": missing")
			}
		}
		for member, inside := range value {
			property := schema.Properties[member]
			switch {
			case property != nil:
				s.visit(property, inside, name+"."+member, broken)
			case len(schema.Properties) > 0:
				broken(name + "." + shown(member) + ": not described")
			}
		}
	default:
		if schema.VisitJSON(value, s.formats...) != nil {
			broken(fmt.Sprintf("%s: %s where %s is described", name, kindOf(value), strings.TrimSpace(schema.Format+" "+typeOf(schema))))
		}
	}
}

// nearest returns the alternative that matches the value and has the most of
// its members, or nil.
func (s *shapes) nearest(alternatives openapi3.SchemaRefs, value any) (best *openapi3.SchemaRef) {
	most := -1
	for _, alternative := range alternatives {
		known := 0
		switch value := value.(type) {
		case []any:
			if !isA(alternative.Value, "array") {
				continue
			}
		case map[string]any:
			if !isA(alternative.Value, "object") {
				continue
			}
			for member := range value {
				if alternative.Value.Properties[member] != nil {
					known++
				}
			}
		default:
			if alternative.Value.VisitJSON(value, s.formats...) != nil {
				continue
			}
		}
		if known > most {
			best, most = alternative, known
		}
	}
	return best
}

// isA reports whether a schema allows a type; a schema without a type allows
// all.
func isA(schema *openapi3.Schema, name string) bool {
	return schema.Type == nil || len(schema.Type.Slice()) == 0 || schema.Type.Is(name) || slices.Contains(schema.Type.Slice(), name)
}

func typeOf(schema *openapi3.Schema) string { return strings.Join(schema.Type.Slice(), " or ") }

// kindOf returns the JSON type of a value.
func kindOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case string:
		return "a text of another form"
	case bool:
		return "a bool"
	}
	return "a number"
}

// memberName matches the names of the service's members. Any other name may be
// the key of a map, which is data.
var memberName = regexp.MustCompile(`^[a-z][A-Za-z]{0,39}$`)

func shown(member string) string {
	if memberName.MatchString(member) {
		return member
	}
	return "(a name that is not shown)"
}

// formats returns the formats that the OpenAPI library does not support.
func formats() []openapi3.SchemaValidationOption {
	return []openapi3.SchemaValidationOption{
		openapi3.WithStringFormatValidators(map[string]openapi3.StringFormatValidator{
			"uuid": openapi3.NewRegexpFormatValidator(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`),
			"uri": openapi3.NewCallbackValidator(func(text string) error {
				if address, err := url.Parse(text); err != nil || !address.IsAbs() || address.Host == "" {
					return errors.New("is not an absolute address")
				}
				return nil
			}),
		}),
		openapi3.DisableSchemaErrorDetails(),
	}
}
