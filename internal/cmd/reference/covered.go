package main

import (
	"strings"

	"github.com/practicesdk/practice-go/internal/description"
)

// covered returns the page that lists every operation with the facts
// that a caller needs.
func covered(d *description.Document) []byte {
	p := &page{}
	p.line("# What is covered\n")
	p.line("Every operation that the client has a method for, area by area. `client.Do` calls any other.\n")
	p.line("- **Class**: a `read` and an `idempotentWrite` are repeated after a failure, a `create` only when it was certainly not executed.")
	p.line("- **List**: how a list is paged; a method `List…` that has pages has a method `All…` beside it, but for folders, which `Documents.AllEntries` reads. Change filters follow the words `changed since`.")
	p.line("- **Async**: the service answers before the change is made; `practice.Await` waits for it.")
	p.line("- **Id**: the operation for `Client.Call` and for faults of `practicetest`; it leads to parameters, records and errors.")
	for _, a := range d.Areas {
		for i, o := range a.Operations {
			if i == 0 {
				p.line("\n## [%s](%s.md)\n", a.Name, a.File)
				p.line("| method | operation | class | list | async | id |\n|---|---|---|---|---|---|")
			}
			p.line("| `%s.%s` | `%s %s` | %s | %s | %s | [%s](%s.md#%s) |", a.Name, o.Method, o.HTTPMethod, o.Path, o.Class, listed(o),
				map[bool]string{true: "yes"}[o.Async], o.ID, a.File, strings.ToLower(a.Name+o.Method))
		}
	}
	return p.text.Bytes()
}

// listed returns the text on how a list is paged.
func listed(o *description.Operation) string {
	if o.Paging == nil {
		return ""
	}
	said := map[string]string{"offset": "pages", "links": "pages by links", "limit": "the first ones", "none": "whole"}[o.Paging.Style]
	var since []string
	for _, filter := range o.Paging.Since {
		since = append(since, "`"+filter.Name+"`")
	}
	if len(since) > 0 {
		said += ", changed since (" + strings.Join(since, ", ") + ")"
	}
	return said
}
