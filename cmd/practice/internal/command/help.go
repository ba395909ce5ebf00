package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is the width of help texts in columns, that of a narrow terminal.
const helpWidth = 80

// printHelp prints the help of a command, wrapped to helpWidth.
func printHelp(c *cobra.Command, _ []string) {
	var b strings.Builder
	usage := c.UseLine()
	if c.HasAvailableSubCommands() {
		usage = c.CommandPath() + " COMMAND"
	}
	b.WriteString(strings.Join(fold("usage: "+usage, helpWidth-2), "\n  ") + "\n\n")
	text := c.Long
	if text == "" {
		text = c.Short
	}
	for paragraph := range strings.SplitSeq(text, "\n") {
		b.WriteString(strings.Join(fold(paragraph, helpWidth), "\n") + "\n")
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\nCommands:\n" + commandList(c.Commands()))
	}
	if c.HasExample() {
		b.WriteString("\nExamples:\n" + c.Example + "\n")
	}
	// FlagUsagesWrapped lets a last line be up to five columns longer.
	if c.HasAvailableLocalFlags() {
		b.WriteString("\nFlags:\n" + c.LocalFlags().FlagUsagesWrapped(helpWidth-5))
	}
	if c.HasAvailableInheritedFlags() {
		var names []string
		c.InheritedFlags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		b.WriteString("\n" + strings.Join(fold("Global flags (see practice --help): "+strings.Join(names, ", "), helpWidth), "\n") + "\n")
	}
	c.Print(b.String())
}

// commandList returns the names and descriptions of commands in two columns.
func commandList(commands []*cobra.Command) string {
	commands = slices.DeleteFunc(slices.Clone(commands), func(c *cobra.Command) bool { return !c.IsAvailableCommand() && c.Name() != "help" })
	width := 0
	for _, c := range commands {
		width = max(width, len(c.Name()))
	}
	var b strings.Builder
	for _, c := range commands {
		name := c.Name()
		for _, line := range fold(c.Short, helpWidth-width-4) {
			fmt.Fprintf(&b, "  %-*s  %s\n", width, name, line)
			name = ""
		}
	}
	return b.String()
}

// fold wraps a text at the given width. Only a single word can be wider.
func fold(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case len(line)+1+len(word) > width:
			lines, line = append(lines, line), word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}
