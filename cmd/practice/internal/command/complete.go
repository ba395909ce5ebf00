package command

import (
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/members"
)

// words returns a completion function for the given words.
func words(all ...string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return all, cobra.ShellCompDirectiveNoFileComp
	}
}

// first returns a completion function for the first argument.
func first(all func() []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) (words []string, _ cobra.ShellCompDirective) {
		if len(args) == 0 {
			words = all()
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeWith sets the completion function of a flag.
func completeWith(c *cobra.Command, flag string, complete cobra.CompletionFunc) {
	_ = c.RegisterFlagCompletionFunc(flag, complete) // fails only for a flag that is not declared
}

// completeFlags completes the flags of every command.
func (a *app) completeFlags(root *cobra.Command) {
	completeWith(root, "output", words(formatTable, formatJSON, formatLines, formatCSV))
	completeWith(root, "csv", words(csvPlain, csvExcel))
	completeWith(root, "profile", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return a.profileNames(), cobra.ShellCompDirectiveNoFileComp
	})
}

// complete adds completion to the flags of an operation: published values and
// members. Ids are not completed, because that would put data of clients into
// files of the shell.
func (k *call) complete(c *cobra.Command) {
	for _, p := range k.operation.Parameters {
		if p.In == practice.InQuery {
			completeWith(c, kebab(p.Name), words(p.Values...))
		}
	}
	if k.operation.Body == "" {
		return
	}
	completeWith(c, "set", k.completeMember("="))
	completeWith(c, "null", k.completeMember(""))
}

// completeMember completes the name of a member, followed by its values.
func (k *call) completeMember(end string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, begun string) (all []string, then cobra.ShellCompDirective) {
		kind := reflect.TypeOf(k.operation.NewBody()).Elem()
		name, _, valued := strings.Cut(begun, "=")
		for _, m := range members.Of(kind.Name()) {
			switch {
			case !valued:
				all = append(all, m.Name+end)
			case m.Name == name:
				for _, value := range m.Values {
					word, _, _ := strings.Cut(value, " (")
					all = append(all, m.Name+"="+word)
				}
			}
		}
		slices.Sort(all)
		return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}
