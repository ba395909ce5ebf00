package conformance_test

import (
	"encoding/json"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// spoiltBodies returns bodies of an operation with one fault each.
func spoiltBodies(of endpoint, good []byte) []spoilt {
	media := func(name string) func(*draft) { return func(d *draft) { d.header.Set("Content-Type", name) } }
	if len(good) == 0 {
		good = []byte(`["VIP"]`) // for removeContactTags, which the client sends without its optional body
	}
	ways := []spoilt{
		{"a body of another media type", 415, func(d *draft) { d.body = good; media("text/plain")(d) }},
		{"a body without a media type", 415, func(d *draft) { d.body = good; d.header.Del("Content-Type") }},
	}
	body := func(name, text string) {
		ways = append(ways, spoilt{name + ": " + text, 400, func(d *draft) { d.body = []byte(text); media(declaredType)(d) }})
	}
	if of.RequestBody.Value.Required {
		body("no body", "")
	}
	body("broken JSON", string(good[:len(good)-1]))
	schema := of.requestSchema().Value
	for _, wrong := range wrongValues(schema) {
		body("the body is no "+schema.Type.Slice()[0], wrong)
	}
	for name, changed := range spoiltMembers(schema, good) {
		body(name, changed)
	}
	return ways
}

// spoiltMembers changes one member of an object at a time, so that the object
// is invalid.
func spoiltMembers(schema *openapi3.Schema, good []byte) map[string]string {
	changed := map[string]string{}
	if !schema.Type.Is("object") {
		return changed
	}
	for _, member := range schema.Required {
		changed[member+" left out"] = withMember(good, member, "")
	}
	for member, property := range schema.Properties {
		for _, wrong := range wrongValues(property.Value) {
			changed[member+" is "+wrong] = withMember(good, member, wrong)
		}
	}
	changed["a member that there is not"] = withMember(good, "imagined", "1")
	return changed
}

// withMember sets a member of an object to a JSON text, or removes it.
func withMember(object []byte, member, value string) string {
	members := map[string]json.RawMessage{}
	_ = json.Unmarshal(object, &members) // the client wrote it
	if members[member] = json.RawMessage(value); value == "" {
		delete(members, member)
	}
	text, _ := json.Marshal(members) // it was JSON before
	return string(text)
}

// wrongValues returns JSON texts that a schema refuses.
func wrongValues(schema *openapi3.Schema) []string {
	if len(schema.Type.Slice()) == 0 {
		return nil // any JSON is right
	}
	wrong := map[string][]string{
		"string": {`1`, `true`, `{}`}, "integer": {`"1"`, `1.5`, `true`, `10000000000000000000`}, "number": {`"1"`, `true`},
		"boolean": {`"true"`, `0`}, "array": {`{}`, `"x"`}, "object": {`"x"`, `[]`},
	}[schema.Type.Slice()[0]]
	if !schema.Nullable {
		wrong = append(wrong, "null")
	}
	if schema.MinLength > 0 {
		wrong = append(wrong, `""`)
	}
	if schema.MaxLength != nil {
		wrong = append(wrong, `"`+strings.Repeat("ä", int(*schema.MaxLength)+1)+`"`)
	}
	if schema.Pattern != "" || schema.Format == "uri" {
		wrong = append(wrong, `"?"`)
	}
	if len(schema.Enum) > 0 {
		wrong = append(wrong, `-1`, `1000`)
	}
	if schema.Items == nil {
		return wrong
	}
	for _, item := range wrongValues(schema.Items.Value) {
		wrong = append(wrong, "["+item+"]")
	}
	for member, property := range schema.Items.Value.Properties {
		for _, inside := range wrongValues(property.Value) {
			wrong = append(wrong, `[{"`+member+`":`+inside+`}]`)
		}
	}
	return wrong
}
