package main

import (
	"errors"
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"github.com/practicesdk/practice-go/internal/description"
)

// constantsOf returns the names of the constants of the models. A key consists
// of the type and the value, such as "FeeType 1".
func constantsOf(d *description.Document) map[string]string {
	constants := map[string]string{}
	for _, e := range d.Enums {
		for _, v := range e.Values {
			literal := v.Value
			if !e.Number {
				literal = strconv.Quote(v.Value)
			}
			if v.Name != "" && e.Name != "EventType" { // whose constants have the types of the payloads
				constants[e.Name+" "+literal] = e.Prefix + v.Name
			}
		}
	}
	return constants
}

// commandsOf returns the command examples from the help of the command line by
// operation id.
func commandsOf(root fs.FS) (map[string]string, error) {
	source, err := fs.ReadFile(root, "cmd/practice/internal/command/zz_examples.go")
	if err != nil {
		return nil, err
	}
	commands := map[string]string{}
	for _, row := range regexp.MustCompile(`(?m)^\t"(\w+)": +(".*"),$`).FindAllSubmatch(source, -1) {
		if commands[string(row[1])], err = strconv.Unquote(string(row[2])); err != nil {
			return nil, err
		}
	}
	if len(commands) == 0 {
		return nil, errors.New("zz_examples.go contains no examples of the command line")
	}
	return commands, nil
}

// shellLines returns a command on lines of at most 120 columns, unless a single
// word is longer.
func shellLines(command string) string {
	var b strings.Builder
	column := 0
	for i, word := range shellWords(command) {
		switch {
		case i == 0:
		case column+1+len(word) > columns-2:
			b.WriteString(" \\\n  ")
			column = 2
		default:
			b.WriteString(" ")
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}

// shellWords splits a command at spaces outside of quotes.
func shellWords(command string) (words []string) {
	quoted, from := false, 0
	for i, r := range command {
		switch {
		case r == '\'':
			quoted = !quoted
		case r == ' ' && !quoted:
			words = append(words, command[from:i])
			from = i + 1
		}
	}
	return append(words, command[from:])
}
