package command

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

// operationCommands returns a command for each area, as practice.Operations lists
// them. The areas that a command line names have a subcommand for each operation;
// without a command line, all of them have.
func (a *app) operationCommands(line []string) (areas []*cobra.Command) {
	byArea, listed := map[string]*cobra.Command{}, map[string][]string{}
	for _, o := range a.operations {
		name := kebab(o.Area())
		area := byArea[name]
		if area == nil {
			area = &cobra.Command{
				Use: name, Long: "Operations of " + strings.ReplaceAll(name, "-", " ") + ".", Args: noSuchCommand, RunE: showHelp,
				SuggestionsMinimumDistance: 2, // as the library sets for the first word of a line only
			}
			area.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
			byArea[name] = area
			areas = append(areas, area)
		}
		_, method, _ := strings.Cut(o.GoMethod, ".")
		listed[name] = append(listed[name], kebab(method))
		if len(line) == 0 || slices.Contains(line, name) {
			area.AddCommand(a.operationCommand(o))
		}
	}
	byArea["webhooks"].AddCommand(a.listenCommand())
	for _, area := range areas {
		names := listed[area.Name()]
		if area.Short = strings.Join(names, ", "); len(names) > listedMethods {
			area.Short = strings.Join(names[:listedMethods], ", ") + ", …"
		}
	}
	return areas
}

// listedMethods is the number of methods that the summary of an area names.
const listedMethods = 6

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
	zone      zone
}

func (a *app) operationCommand(o practice.Operation) *cobra.Command {
	_, method, _ := strings.Cut(o.GoMethod, ".")
	k := &call{app: a, operation: o, zone: zone{time.UTC}}
	use := []string{kebab(method)}
	for _, p := range o.Parameters {
		if p.In == practice.InPath {
			use = append(use, placeholder(p.Name))
		}
	}
	doc := a.words.plain(o)
	first, _, _ := strings.Cut(doc, ". ")
	c := &cobra.Command{
		Use: strings.Join(use, " "), Short: strings.TrimSuffix(first, "."), Long: doc + "\n\n" + k.facts(), Example: examples[o.ID],
		Args: func(c *cobra.Command, args []string) error {
			if k.skeleton && len(args) == 0 {
				return nil
			}
			return takes(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error { return k.run(c, args) },
	}
	for _, p := range o.Parameters {
		k.parameterFlag(c, p)
	}
	if o.AnswerForm == practice.AnswerPages {
		c.Flags().BoolVar(&k.all, "all", false, "read the whole list, record by record")
	}
	if o.Body != "" {
		c.Flags().Var(&texts{of: "member=value", all: &k.set}, "set", "set a member of the body, such as rate=385.50, staff.id=…, items[0].id=… or note:='\"json\"'")
		c.Flags().Var(&texts{of: "member", all: &k.null}, "null", "set a member of the body to null")
		c.Flags().StringVar(&k.body, "body", "", "the `body` as JSON, @FILE, or - for stdin; --set and --null change it")
		c.Flags().BoolVar(&k.skeleton, "skeleton", false, "print a body with all members, without sending anything")
	}
	if k.canWait() {
		c.Flags().BoolVar(&k.wait, "wait", false, "wait until the effect of the write is visible")
	}
	c.Flags().Var(&k.zone, "zone", "time `zone` for times that have none, such as Australia/Sydney")
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
	slices.Sort(facts[3:])
	return strings.Join(facts, ", ")
}

func (k *call) parameterFlag(c *cobra.Command, p practice.Parameter) {
	if p.In != practice.InQuery {
		return
	}
	usage := strings.NewReplacer("`", "").Replace(strings.TrimPrefix(strings.TrimPrefix(p.Doc, p.Name+" "), "is "))
	if len(p.Values) > 0 && len(p.Values) < 12 {
		usage += " One of " + strings.Join(p.Values, ", ") + "."
	}
	c.Flags().Var(&texts{of: flagKinds[p.Kind], one: !p.Repeated, all: new([]string)}, kebab(p.Name), usage)
}

// flagKinds names what flags take. It must not be modified.
var flagKinds = map[practice.ParameterKind]string{
	practice.KindText: "text", practice.KindInteger: "number", practice.KindBoolean: "true|false", practice.KindDate: "day",
	practice.KindInstant: "time", practice.KindTicks: "time", practice.KindLocalTime: "time",
}

// texts is a flag with any number of texts, or with the last one of them.
type texts struct {
	of  string // shown in the help
	one bool
	all *[]string
}

func (t *texts) String() string { return "" }
func (t *texts) Type() string   { return t.of }

// Set takes a text. An empty one is refused, as of other flags: see notEmpty.
func (t *texts) Set(text string) error {
	if text == "" {
		return errors.New("must not be empty")
	}
	if t.one {
		*t.all = nil
	}
	*t.all = append(*t.all, text)
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
		value, err := k.argument(p, *flag.Value.(*texts).all)
		if err != nil {
			return nil, misuse{fmt.Errorf("--%s: %w", flag.Name, err)}
		}
		arguments[p.Name] = value
	}
	k.noteBeginning(arguments)
	return arguments, nil
}

// noteBeginning says that a list begins now if no flag says otherwise.
func (k *call) noteBeginning(arguments map[string]any) {
	for _, p := range k.operation.Parameters {
		if arguments[p.Name] == nil && strings.Contains(p.Doc, beginsNow) {
			k.note("The list starts at the current time. To list earlier records, use --%s.", kebab(p.Name))
		}
	}
}

// beginsNow is how the description says that a list begins now.
const beginsNow = "from now on when it is left out"

func (k *call) argument(p practice.Parameter, given []string) (any, error) {
	for _, text := range given {
		if err := published(strings.Split(text, ","), p.Values, "practice api"); p.Values != nil && err != nil {
			return nil, err
		}
	}
	switch {
	case p.Repeated:
		return given, nil
	case flagKinds[p.Kind] == "time":
		return parseTime(given[0], k.zone)
	}
	return given[0], nil
}

// looking returns the command that shows whether a write was executed, or "":
// it reads the path of the write, or the longest part of it that can be read.
func (k *call) looking(args []string) string {
	o, found := k.readers.Near(k.operation.Path)
	if !found {
		return ""
	}
	return k.calling(o, args[:min(len(args), strings.Count(o.Path, "{"))])
}

// calling returns the command line of an operation without its flags.
func (a *app) calling(o practice.Operation, args []string) string {
	words := []string{a.words[o.GoMethod]}
	for _, arg := range args {
		words = append(words, quoted(arg))
	}
	return strings.Join(words, " ")
}

// refusal returns an error of the library. For a refused argument it uses the
// name of its flag or argument.
func (k *call) refusal(err error) error {
	refused, ok := errors.AsType[*practice.ArgumentError](err)
	if !ok {
		return err
	}
	name, reason := k.nameOf(refused.Argument), refused.Reason
	if strings.HasPrefix(reason, "is not a member") {
		path := strings.NewReplacer("[", ".", "]", "").Replace(refused.Argument)
		if _, unknown := along(reflect.TypeOf(k.operation.NewBody()).Elem(), strings.TrimPrefix(path, "."), "--skeleton"); unknown != nil {
			return misuse{fmt.Errorf("%s: %w", name, unknown)}
		}
	}
	return misuse{fmt.Errorf("%s %s", name, strings.Replace(reason, ": pass a value of type "+k.operation.Body, "; use --skeleton to print one", 1))}
}

// nameOf returns the flag or argument from which a parameter or a member of the
// body was set.
func (k *call) nameOf(argument string) string {
	all, _ := k.assignments() // those before a wrong one
	for _, p := range k.operation.Parameters {
		switch {
		case p.Name != argument:
		case p.In == practice.InQuery:
			return "--" + kebab(p.Name)
		case !slices.ContainsFunc(all, func(a assignment) bool { return a.path == argument }):
			return placeholder(p.Name)
		}
	}
	if kind := reflect.TypeOf(k.operation.NewBody()); kind != nil && kind.Elem().Kind() == reflect.Slice && strings.Contains(argument, "[") {
		argument = argument[strings.IndexByte(argument, '['):] // the library gives the list a name
	}
	for _, a := range all {
		if within(a.path, argument) || within(argument, a.path) {
			return a.flag + " " + a.path
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
	body, err := k.bodyText(c.Flags().Lookup("body") != nil && c.Flags().Changed("body"))
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
	text, _ := body.([]byte)
	p := &plan{
		what: k.calling(k.operation, args), class: k.operation.Class, look: k.looking(args), file: k.operation.Media != "",
		asks: k.operation.Money || k.operation.Deletes(text),
		call: func(client *practice.Client, out any) error {
			return k.refusal(client.Call(ctx, k.operation.ID, arguments, body, out))
		},
		show: k.show,
	}
	if k.wait {
		k.awaiting(ctx, p, args, arguments, text)
	}
	if k.all {
		return k.walk(ctx, p, arguments, body, printer)
	}
	return k.app.run(ctx, p, printer)
}

// describe passes the type of the records to the printer.
func (k *call) describe(p *printer) error {
	answer := k.operation.NewAnswer()
	if answer == nil {
		return nil
	}
	kind := reflect.TypeOf(answer).Elem()
	if k.lists() && kind == reflect.TypeFor[models.FolderListingPage]() {
		return nil // its entries are folders and files
	}
	return p.of(kind)
}

func (k *call) lists() bool {
	return k.operation.AnswerForm == practice.AnswerList || k.operation.AnswerForm == practice.AnswerPages
}

// walk prints the records of a list as they arrive.
func (k *call) walk(ctx context.Context, p *plan, arguments map[string]any, body any, printer *printer) error {
	printer.ctx = ctx
	if err := k.permit(ctx, p); err != nil {
		return err
	}
	var unread error
	for record, err := range p.client.CallAll(ctx, k.operation.ID, arguments, body) {
		switch {
		case has[*practice.RecordError](err):
			unread = cmp.Or(unread, err)
			continue
		case err != nil && printer.read > 0:
			err = incomplete{err}
		}
		if err = phaseSend.of(k.refusal(err)); err == nil {
			err = phaseShow.of(printer.record(record))
		}
		if err != nil {
			return notSent(printer.end(err))
		}
	}
	if unread != nil {
		return phaseRead.of(printer.end(incomplete{unread}))
	}
	return phaseShow.of(printer.end(nil))
}

// show prints a response.
func (k *call) show(printer *printer, answer []byte) error {
	if !k.lists() {
		return printer.single(answer)
	}
	list := readList(answer)
	if k.operation.Answer == "models.FolderListingPage" {
		list.records = entries(list.records)
	}
	for _, record := range list.records {
		if err := printer.record(record); err != nil {
			return printer.end(err)
		}
	}
	printer.noteMore(list)
	return printer.end(nil)
}

// noteMore prints a note if a list has further pages.
func (p *printer) noteMore(l list) {
	last := l.offset + len(l.records)
	place := fmt.Sprintf("%d records", len(l.records))
	if l.size > 0 {
		place = fmt.Sprintf("records %d to %d of %d", l.offset+1, last, l.size)
	}
	if p.partial = l.next || last < l.size; p.partial {
		p.note("Only part of the list is shown: %s. Use --all to read the whole list.", place)
	}
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
	next, alone  bool // alone: it is one record, and no list
}

func readList(text []byte) (l list) {
	var page map[string]json.RawMessage
	switch {
	case json.Unmarshal(text, &l.records) == nil:
	case json.Unmarshal(text, &page) == nil && (page["size"] != nil && page["value"] == nil || json.Unmarshal(page["value"], &l.records) == nil):
		_ = json.Unmarshal(page["offset"], &l.offset)
		_ = json.Unmarshal(page["size"], &l.size)
		next := string(page["next"])
		l.next = next != "" && next != "null" && next != "{}"
	default:
		l.records, l.alone = []json.RawMessage{text}, true
	}
	return l
}

// entries returns the folders and files of the listings of a folder.
func entries(listings []json.RawMessage) (all []json.RawMessage) {
	for _, text := range listings {
		var listing struct{ Folders, Files []json.RawMessage }
		if json.Unmarshal(text, &listing) != nil {
			return listings
		}
		all = slices.Concat(all, listing.Folders, listing.Files)
	}
	return all
}
