package main

import (
	"strings"

	"github.com/practicesdk/practice-go/internal/description"
)

// copied returns the page that lists the kinds of record that a copy can have,
// and the lists of which it has none.
func copied(d *description.Document) []byte {
	p := &page{}
	p.line("# What a copy contains\n")
	p.line("[A copy in a database](../replica.md) has these kinds of record. The columns say:\n")
	p.line("- **List**: the operation that lists the records. The list has more members or records on request: see *asked for*.")
	p.line("- **Below**: each record of that kind has a list of its own. The copy has a kind marked *if named* only if `Kinds` names it, because it takes a request for each of these records.")
	p.line("- **Read by id**: the operation that reads a record again before it is marked as deleted. Without one, the record must be missing from two full lists in a row.")
	p.line("- **Changes by**: the parameter of the list that selects changed records. Without one, the full list is read each time.")
	p.line("- **Version**: the members that change with the record. The one marked *order* shows which of two states is newer, if its value is a time.")
	p.line("- **Deleted**: the member that marks a deleted record. Without one, a deleted record is not found.")
	p.line("- **Events**: the [webhook events](../webhooks.md) that name such a record.\n")
	p.line("| kind | list | asked for | below | read by id | changes by | version | deleted | events |\n|---|---|---|---|---|---|---|---|---|")
	for _, k := range d.Kinds {
		below, deleted, events := "", "", ""
		if k.Below != nil {
			below = "`" + k.Below.Name + "`" + map[bool]string{true: ", if named"}[k.Optional]
		}
		if member, value := k.Deletion(); member != "" {
			deleted = "`" + member + "` is " + value
		}
		if k.Event != "" {
			events = "`" + k.Event + ".…`"
		}
		p.line("| `%s` | %s | %s | %s | %s | %s | %s | %s | %s |", k.Name, section(k.List), codes(append(k.Arguments, k.Fields()...)), below,
			section(k.Get), codes([]string{k.Since()}), version(k), deleted, events)
	}
	p.line("\nThese lists are not copied:\n\n| list | because |\n|---|---|")
	for o := range d.Operations() {
		if o.NotCopied != "" {
			p.line("| %s | %s |", section(o), text(strings.TrimSuffix(o.NotCopied, ".")))
		}
	}
	return p.text.Bytes()
}

// section returns a link to the section of an operation, or "".
func section(o *description.Operation) string {
	if o == nil {
		return ""
	}
	return "[" + o.Area.Name + "." + o.Method + "](" + o.Area.File + ".md#" + strings.ToLower(o.Area.Name+o.Method) + ")"
}

// codes returns names as code, separated by commas.
func codes(names []string) string {
	if joined := strings.Join(names, "`, `"); joined != "" {
		return "`" + joined + "`"
	}
	return ""
}

func version(k *description.CopiedKind) string {
	members, order := k.Version()
	return strings.Replace(codes(members), "`"+order+"`", "`"+order+"` (order)", 1)
}
