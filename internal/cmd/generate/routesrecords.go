package main

import (
	"fmt"

	"github.com/practicesdk/practice-go/internal/description"
)

// answers writes the records of responses of the embedded service: their
// members in the order of the description, and the targets of links.
func answers(document *description.Document) ([]byte, error) {
	w := &routeWriter{}
	w.line("package practicetest")
	w.line("")
	w.line("// answers are the objects that are answered, by name.")
	w.line("var answers = map[string]answerSchema{")
	var read []*description.Type
	for o := range document.Operations() {
		if o.Answer != nil {
			read = append(read, o.Answer)
		}
	}
	for _, p := range document.Payloads {
		read = append(read, &description.Type{Kind: description.Ref, Ref: p.Schema})
	}
	for _, s := range description.Reach(read...) {
		w.answer(s)
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

func (w *routeWriter) answer(s *description.Schema) {
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
