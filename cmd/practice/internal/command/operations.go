package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	practice "github.com/practicesdk/practice-go"
)

// operationCommands returns a command for each area, with a subcommand for each
// of its operations, as practice.Operations lists them.
func (a *app) operationCommands() (areas []*cobra.Command) {
	byArea := map[string]*cobra.Command{}
	for _, o := range practice.Operations() {
		name := kebab(o.Area())
		area := byArea[name]
		if area == nil {
			area = &cobra.Command{Use: name, Short: "Operations of the area " + o.Area(), Args: noSuchCommand, RunE: showHelp, SuggestionsMinimumDistance: nearEnough}
			byArea[name] = area
			areas = append(areas, area)
		}
		area.AddCommand(a.operationCommand(o))
	}
	return areas
}

// nearEnough is the number of letters by which a misspelt command differs. The
// library sets it for the first word of a line only.
const nearEnough = 2

func showHelp(c *cobra.Command, _ []string) error { return c.Help() }

// noSuchCommand returns the error for an unknown subcommand of an area, with
// the most similar one.
func noSuchCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	text := fmt.Sprintf("unknown command %q for %q", args[0], c.CommandPath())
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		text += "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return misuse{errors.New(text)}
}

// call is an operation with the options of the command line.
type call struct {
	*app
	operation practice.Operation
	all       bool
	wait      bool
	skeleton  bool
	set, null []string
	body      string
	zone      string
}

func (a *app) operationCommand(o practice.Operation) *cobra.Command {
	_, method, _ := strings.Cut(o.GoMethod, ".")
	k := &call{app: a, operation: o}
	use := []string{kebab(method)}
	for _, p := range o.Parameters {
		if p.In == practice.InPath {
			use = append(use, placeholder(p.Name))
		}
	}
	first, _, _ := strings.Cut(o.Doc, ". ")
	c := &cobra.Command{
		Use: strings.Join(use, " "), Short: strings.TrimSuffix(first, "."), Long: o.Doc + "\n\n" + k.facts(), Example: exampleOf(o.ID),
		Args: func(_ *cobra.Command, args []string) error { return k.countArguments(args) },
		RunE: func(c *cobra.Command, args []string) error { return k.run(c, args) },
	}
	for _, p := range o.Parameters {
		k.parameterFlag(c, p)
	}
	if o.AnswerForm == practice.AnswerPages {
		c.Flags().BoolVar(&k.all, "all", false, "read the whole list, record by record")
	}
	if o.Body != "" {
		c.Flags().StringArrayVar(&k.set, "set", nil, "a member of the body, such as rate=385.50, staff.id=…, items[0].id=… or note:='\"json\"'")
		c.Flags().StringArrayVar(&k.null, "null", nil, "a member of the body that is null")
		c.Flags().StringVar(&k.body, "body", "", "the body as JSON, @FILE, or - for stdin; --set and --null change it")
		c.Flags().BoolVar(&k.skeleton, "skeleton", false, "print a body with its members, and send nothing")
	}
	if o.Class != practice.OperationRead && o.Async {
		c.Flags().BoolVar(&k.wait, "wait", false, "wait until the write can be seen")
	}
	c.Flags().StringVar(&k.zone, "zone", "UTC", "the zone of times without one")
	k.complete(c)
	return c
}

// facts returns the method, path, class and scope of the operation on one line.
func (k *call) facts() string {
	o := k.operation
	facts := []string{o.Method + " " + o.Path, "operation " + o.ID, "class " + string(o.Class)}
	for text, yes := range map[string]bool{"asynchronous": o.Async, "moves money": o.Money, "deprecated": o.Deprecated} {
		if yes {
			facts = append(facts, text)
		}
	}
	if o.Scope != "" {
		facts = append(facts, "scope "+o.Scope)
	}
	if o.Body != "" {
		facts = append(facts, "body "+o.Body)
	}
	slices.Sort(facts[3:])
	return strings.Join(facts, ", ")
}

func (k *call) parameterFlag(c *cobra.Command, p practice.Parameter) {
	if p.In != practice.InQuery {
		return
	}
	usage := strings.TrimPrefix(p.Doc, p.Name+" ")
	if len(p.Values) > 0 && len(p.Values) < 12 {
		usage += " One of " + strings.Join(p.Values, ", ") + "."
	}
	switch {
	case p.Repeated:
		c.Flags().StringArray(kebab(p.Name), nil, usage)
	default:
		c.Flags().String(kebab(p.Name), "", usage)
	}
}

func (k *call) countArguments(args []string) error {
	if k.skeleton && len(args) == 0 {
		return nil
	}
	var missing []string
	n := 0
	for _, p := range k.operation.Parameters {
		if p.In == practice.InPath {
			if n >= len(args) {
				missing = append(missing, placeholder(p.Name))
			}
			n++
		}
	}
	switch {
	case len(missing) > 0:
		return misuse{fmt.Errorf("the command needs %s", strings.Join(missing, " and "))}
	case len(args) > n:
		return misuse{fmt.Errorf("%q is one argument too many", args[n])}
	}
	return nil
}

// arguments returns the parameters by their published names.
func (k *call) arguments(c *cobra.Command, args []string) (map[string]any, error) {
	arguments, n := map[string]any{}, 0
	for _, p := range k.operation.Parameters {
		if p.In == practice.InPath {
			arguments[p.Name] = args[n]
			n++
			continue
		}
		flag := c.Flags().Lookup(kebab(p.Name))
		if !flag.Changed {
			continue
		}
		value, err := k.argument(c, p, flag.Name)
		if err != nil {
			return nil, misuse{fmt.Errorf("--%s: %w", flag.Name, err)}
		}
		arguments[p.Name] = value
	}
	return arguments, nil
}

func (k *call) argument(c *cobra.Command, p practice.Parameter, name string) (any, error) {
	if p.Repeated {
		return c.Flags().GetStringArray(name)
	}
	text, err := c.Flags().GetString(name)
	if err != nil {
		return nil, err
	}
	switch p.Kind {
	case practice.KindInstant, practice.KindTicks, practice.KindLocalTime:
		return parseTime(text, k.zone)
	}
	return text, nil
}

// looking returns the command that shows whether a write was executed, or "".
func (k *call) looking(args []string) string {
	for _, o := range practice.Operations() {
		if o.Method == http.MethodGet && o.Path == k.operation.Path {
			area, method, _ := strings.Cut(o.GoMethod, ".")
			return strings.Join(append([]string{"practice", kebab(area), kebab(method)}, args...), " ")
		}
	}
	return ""
}

// refusal returns an error of the library. For a refused argument it uses the
// name of its flag or argument.
func (k *call) refusal(err error) error {
	refused, ok := errors.AsType[*practice.ArgumentError](err)
	if !ok {
		return err
	}
	name := k.nameOf(refused.Argument)
	return misuse{fmt.Errorf("%s %s", name, refused.Reason)}
}

// nameOf returns the flag or argument from which a parameter or a member of the
// body was set.
func (k *call) nameOf(argument string) string {
	for _, p := range k.operation.Parameters {
		switch {
		case p.Name == argument && p.In == practice.InPath:
			return placeholder(p.Name)
		case p.Name == argument:
			return "--" + kebab(p.Name)
		}
	}
	flag := "--set "
	for i, assignment := range slices.Concat(k.set, k.null) {
		if i == len(k.set) {
			flag = "--null "
		}
		path, _, _, err := cutAssignment(assignment + "=")
		if err == nil && (within(path, argument) || within(argument, path)) {
			return flag + path
		}
	}
	switch {
	case argument == "body":
		return "--body"
	case k.body == "":
		return "--set " + argument
	}
	return "--body: " + argument
}

// within reports whether path equals outer or is below it.
func within(path, outer string) bool {
	rest, ok := strings.CutPrefix(path, outer)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// placeholder returns the name of an argument in usage texts.
func placeholder(parameter string) string {
	return strings.ToUpper(strings.ReplaceAll(kebab(parameter), "-", "_"))
}

// run executes the operation.
func (k *call) run(c *cobra.Command, args []string) error {
	ctx := c.Context()
	if k.skeleton {
		return k.printSkeleton()
	}
	arguments, err := k.arguments(c, args)
	if err != nil {
		return err
	}
	body, err := k.bodyText()
	if err != nil {
		return err
	}
	printer, err := k.printer()
	if err == nil {
		err = k.describe(printer)
	}
	if err != nil {
		return err
	}
	client, err := k.permitted(ctx, intent{
		what:   k.operation.GoMethod,
		writes: k.operation.Class != practice.OperationRead,
		asks:   k.operation.Money || k.operation.Method == http.MethodDelete,
		send: func(client *practice.Client) error {
			return k.refusal(client.Call(ctx, k.operation.ID, arguments, body, nil))
		},
	})
	if err != nil {
		return err
	}
	k.look = k.looking(args)
	if k.operation.AnswerForm == practice.AnswerPages && k.all {
		return k.end(ctx, k.refusal(k.walk(ctx, client, arguments, body, printer)))
	}
	return k.end(ctx, k.refusal(k.once(ctx, client, arguments, body, printer)))
}

// describe passes the members of the records to the printer. It returns an
// error if --columns or --sum names another one.
func (k *call) describe(p *printer) error {
	answer := k.operation.NewAnswer()
	if answer == nil || p.filter != nil {
		return nil
	}
	p.kind = reflect.TypeOf(answer).Elem()
	for flag, paths := range map[string][]string{"--columns": k.columns, "--sum": {k.sum}} {
		for _, path := range paths {
			if err := hasMember(p.kind, path); err != nil {
				return misuse{fmt.Errorf("%s: %w", flag, err)}
			}
		}
	}
	return nil
}

// walk prints the records of a list as they arrive.
func (k *call) walk(ctx context.Context, client *practice.Client, arguments map[string]any, body any, printer *printer) error {
	for record, err := range client.CallAll(ctx, k.operation.ID, arguments, body) {
		if err != nil && printer.count > 0 {
			err = incomplete{err}
		}
		if err == nil {
			err = printer.record(record)
		}
		if err != nil {
			return printer.end(err)
		}
	}
	return printer.end(nil)
}

// once makes one call and prints the response.
func (k *call) once(ctx context.Context, client *practice.Client, arguments map[string]any, body any, printer *printer) error {
	before := k.before(ctx, client, arguments)
	var text []byte
	if err := client.Call(ctx, k.operation.ID, arguments, body, &text); err != nil {
		return err
	}
	if k.wait {
		if err := k.await(ctx, client, arguments, text, before); err != nil {
			return err
		}
	}
	if k.operation.AnswerForm != practice.AnswerList && k.operation.AnswerForm != practice.AnswerPages {
		return printer.single(text)
	}
	list := readList(text)
	for _, record := range list.records {
		if err := printer.record(record); err != nil {
			return printer.end(err)
		}
	}
	if list.more() {
		k.note("This is not the whole list: %s. --all reads it.", list.place())
	}
	return printer.end(nil)
}

// kebab returns a name in kebab case: UpdatedSince becomes updated-since.
func kebab(name string) string {
	var b strings.Builder
	runes := []rune(strings.TrimLeft(name, "$"))
	for i, r := range runes {
		begins := unicode.IsUpper(r) && i > 0 &&
			(!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		if begins && runes[i-1] != '-' {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.ReplaceAll(b.String(), "_", "-")
}

// list is a response with several records.
type list struct {
	records      []json.RawMessage
	offset, size int
	next         bool
}

func readList(text []byte) list {
	var page struct {
		Offset, Size int
		Next         *json.RawMessage
		Value        []json.RawMessage
	}
	if json.Unmarshal(text, &page.Value) == nil {
		return list{records: page.Value}
	}
	if json.Unmarshal(text, &page) != nil || page.Value == nil {
		return list{records: []json.RawMessage{text}}
	}
	next := page.Next != nil && string(*page.Next) != "null" && string(*page.Next) != "{}"
	return list{records: page.Value, offset: page.Offset, size: page.Size, next: next}
}

func (l list) more() bool { return l.next || l.offset+len(l.records) < l.size }

func (l list) place() string {
	if l.size == 0 {
		return fmt.Sprintf("%d records", len(l.records))
	}
	return fmt.Sprintf("records %d to %d of %d", l.offset+1, l.offset+len(l.records), l.size)
}
