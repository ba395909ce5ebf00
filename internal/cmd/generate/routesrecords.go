package main

import (
	"fmt"

	"github.com/practicesdk/practice-go/internal/description"
)

// answers writes the records of responses of the embedded service: their
// members in the order of the description, and the targets of links.
func answers(document *description.Document) ([]byte, error) {
	w := &routeWriter{written: map[*description.Schema]bool{}}
	w.line("package practicetest")
	w.line("")
	w.line("// answers are the objects that are answered, by name.")
	w.line("var answers = map[string]answerSchema{")
	for _, area := range document.Areas {
		for _, o := range area.Operations {
			if o.Answer != nil && o.Answer.Ref != nil && !o.Unusable {
				w.later(o.Answer.Ref)
			}
		}
	}
	for _, p := range document.Payloads {
		w.later(p.Schema)
	}
	for len(w.bodies) > 0 {
		next := w.bodies[0]
		w.bodies = w.bodies[1:]
		w.answer(next)
	}
	w.line("}")
	w.line("")
	w.line("// payloads are the objects that notifications carry, by the type of the event.")
	w.line("var payloads = map[string]string{")
	for _, p := range document.Payloads {
		w.line("%q: %q,", p.Event, p.Schema.Name)
	}
	w.line("}")
	return w.source()
}

// later records a schema to be written.
func (w *routeWriter) later(s *description.Schema) {
	if !w.written[s] {
		w.written[s] = true
		w.bodies = append(w.bodies, s)
	}
}

func (w *routeWriter) answer(s *description.Schema) {
	if s.Elem != nil {
		w.later(s.Elem)
	}
	record := ""
	if s.Kind == description.Record {
		record = "record: true, "
	}
	if s.Elem != nil {
		record = fmt.Sprintf("elem: %q, ", s.Elem.Name)
	}
	w.line("%q: {%smembers: schema{", s.Name, record)
	for _, m := range s.Members {
		w.line("%s,", pointing(withFlags(w.value(m.Name, m.Type, description.Rules{}, s.Name), !m.Nullable, false), m.Target))
	}
	w.line("}},")
}
