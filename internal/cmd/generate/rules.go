package main

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/practicesdk/practice-go/internal/description"
)

// renderRules writes the rules of a body, and the members that contain further
// bodies.
func (g *generator) renderRules(b *bytes.Buffer, r *record) {
	var rules, bodies []string
	for i, f := range r.wire() {
		m := r.schema.Member(f.json)
		if rule := ruleOf(m, f); rule != "" {
			rules = append(rules, "{member: "+strconv.Itoa(i)+", "+rule+"},\n")
		}
		if g.ruledBelow(m, nil) {
			bodies = append(bodies, strconv.Itoa(i))
		}
	}
	if len(rules) > 0 {
		fmt.Fprintf(b, "rules: []rule{\n%s},\n", strings.Join(rules, ""))
	}
	if len(bodies) > 0 {
		fmt.Fprintf(b, "bodies: []int{%s},\n", strings.Join(bodies, ", "))
	}
}

// ruleOf returns the rule of a member, or "".
func ruleOf(m *description.Member, f field) string {
	var parts []string
	add := func(on bool, format string, args ...any) {
		if on {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	scalar := m.Type.Inner()
	least := deref(m.MinLength)
	some := f.typ.shape == shapeOption && knowsAbsence(*f.typ.elem) // an option that is set must have a value
	add(some || m.Required && f.always && (m.Type.Kind == description.UUID || knowsAbsence(f.typ) || least > 0), "required: true")
	add(f.typ.shape == shapeOption && !m.Nullable, "given: true")
	add(scalar.Kind == description.UUID && m.Type.Kind != description.Map, "uuid: true")
	add(least > 0, "least: %d", least)
	add(m.MaxLength != nil, "most: %d", deref(m.MaxLength))
	add(m.MaxItems != nil, "most: %d", deref(m.MaxItems))
	add(m.Minimum != nil, "low: %q", deref(m.Minimum))
	add(m.Maximum != nil, "high: %q", deref(m.Maximum))
	return strings.Join(parts, ", ")
}

// knowsAbsence reports whether the zero value of a type means absence.
func knowsAbsence(t goType) bool { return t.shape == shapeValue }

func deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// ruled reports whether a body, or a body inside of it, has a rule.
func (g *generator) ruled(s *description.Schema, seen []*description.Schema) bool {
	r := g.records[s]
	if s == nil || r == nil || !r.body || slices.Contains(seen, s) {
		return false
	}
	return slices.ContainsFunc(r.wire(), func(f field) bool {
		m := s.Member(f.json)
		return ruleOf(m, f) != "" || g.ruledBelow(m, append(seen, s))
	})
}

func (g *generator) ruledBelow(m *description.Member, seen []*description.Schema) bool {
	return m.Type.Kind != description.Map && g.ruled(m.Type.Inner().Ref, seen)
}
