package main

import (
	"encoding/csv"
	"io"
	"strings"

	"github.com/practicesdk/practice-go/examples/internal/term"
	"github.com/practicesdk/practice-go/models"
)

// print shows the statement to people.
func (s *statement) print(p *term.Printer) {
	p.Title("Statement of %s", s.month)
	p.Line("%s", s.title)
	s.table(p, "Fees", s.fees, "", models.Decimal{}, s.feeSum)
	s.table(p, "Expenses", s.expenses, "", models.Decimal{}, s.costSum)
	for _, a := range s.accounts {
		s.table(p, a.name, a.moved, "Balance before", a.opening, a.closing)
	}
	if len(s.findings) == 0 {
		p.Blank()
		p.Good("Everything adds up.")
		return
	}
	p.Heading("This is wrong")
	for _, finding := range s.findings {
		p.Bad("%s", finding)
	}
}

// table prints entries between an opening amount, if any, and their sum.
func (s *statement) table(p *term.Printer, title string, entries []entry, before string, opening, closing models.Decimal) {
	p.Heading("%s", title)
	t := &term.Table{Columns: []term.Column{{Name: "Day"}, {Name: "Entry"}, {Name: "Detail"}, {Name: "Dollars", Right: true}}}
	if before != "" {
		t.Add("", before, "", opening.Grouped(2))
	}
	for _, e := range entries {
		t.Add(e.day, e.text, e.detail, e.amount.Grouped(2))
	}
	t.Add("", "Total", "", closing.Grouped(2))
	p.Table(t)
}

// writeCSV writes one line for each entry, and for the sum.
func (s *statement) writeCSV(out io.Writer) error {
	w := csv.NewWriter(out)
	rows := [][]string{{"section", "day", "entry", "detail", "dollars"}}
	add := func(section string, entries []entry) {
		for _, e := range entries {
			rows = append(rows, []string{plain(section), e.day, plain(e.text), plain(e.detail), e.amount.Fixed(2)})
		}
	}
	add("Fees", append(s.fees, entry{text: "Total", amount: s.feeSum}))
	add("Expenses", append(s.expenses, entry{text: "Total", amount: s.costSum}))
	for _, a := range s.accounts {
		add(a.name, []entry{{text: "Balance before", amount: a.opening}})
		add(a.name, append(a.moved, entry{text: "Total", amount: a.closing}))
	}
	for _, finding := range s.findings {
		rows = append(rows, []string{"Findings", "", plain(finding), "", ""})
	}
	return w.WriteAll(rows)
}

// plain prevents a spreadsheet from reading a text as a formula.
func plain(text string) string {
	text = term.Clean(text)
	if strings.HasPrefix(text, "=") || strings.HasPrefix(text, "+") || strings.HasPrefix(text, "-") || strings.HasPrefix(text, "@") {
		return "'" + text
	}
	return text
}
