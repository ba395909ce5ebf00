package command

import (
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/members"
)

// words returns a completion function that offers the given words.
func words(all ...string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return all, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeWith sets the words that a flag is completed with.
func completeWith(c *cobra.Command, flag string, complete cobra.CompletionFunc) {
	if err := c.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic(err) // the flag is declared beside the call
	}
}

// completeFlags completes the flags of every command.
func (a *app) completeFlags(root *cobra.Command) {
	completeWith(root, "output", words(formatTable, formatJSON, formatLines, formatCSV))
	completeWith(root, "debug", words(debugRequests, debugBodies))
	completeWith(root, "profile", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return a.profileNames(), cobra.ShellCompDirectiveNoFileComp
	})
	for _, flag := range []string{"columns", "jq", "sum"} {
		completeWith(root, flag, words())
	}
}

// complete completes the flags of an operation: values and members that are
// published. Ids are not completed: they would put clients' data into the files
// of a shell.
func (k *call) complete(c *cobra.Command) {
	c.ValidArgsFunction = words()
	for _, p := range k.operation.Parameters {
		if p.In == practice.InQuery {
			completeWith(c, kebab(p.Name), words(p.Values...))
		}
	}
	completeWith(c, "zone", words("UTC"))
	if k.operation.Body == "" {
		return
	}
	completeWith(c, "set", k.completeMember("="))
	completeWith(c, "null", k.completeMember(""))
}

// completeMember completes the name of a member, and after it its values.
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
