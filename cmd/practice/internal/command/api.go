package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	practice "github.com/practicesdk/practice-go"
)

// apiCommand returns the command that sends a request outside of the known
// operations.
func (a *app) apiCommand() *cobra.Command {
	var body string
	c := &cobra.Command{
		Use: "api METHOD PATH", Short: "Send any request, such as GET /matters?Limit=5",
		Example: "practice --sandbox api GET '/matters?Limit=5'",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return misuse{errors.New("the command needs a method and a path")}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return a.request(c, args[0], args[1], body) },
	}
	c.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}, cobra.ShellCompDirectiveNoFileComp
	}
	c.Flags().StringVar(&body, "body", "", "the body as JSON, @FILE, or - for stdin")
	return c
}

func (a *app) request(c *cobra.Command, method, target, body string) error {
	ctx := c.Context()
	path, rawQuery, _ := strings.Cut(target, "?")
	query, err := url.ParseQuery(rawQuery)
	if err != nil {
		return misuse{err}
	}
	request := practice.Request{Method: strings.ToUpper(method), Path: path, Query: query}
	if body != "" {
		text, err := a.textOf(body)
		if err != nil {
			return misuse{fmt.Errorf("--body: %w", err)}
		}
		request.Body = json.RawMessage(text)
	}
	printer, err := a.printer()
	if err != nil {
		return err
	}
	o := operationAt(request.Method, path)
	request.Once = o.Class == practice.OperationCreate
	client, err := a.permitted(ctx, intent{
		what:   request.Method + " " + path,
		writes: request.Method != http.MethodGet && request.Method != http.MethodHead && o.Class != practice.OperationRead,
		asks:   o.Money || request.Method == http.MethodDelete,
		send:   func(client *practice.Client) error { return client.Do(ctx, request, nil) },
	})
	if err != nil {
		return err
	}
	var text []byte
	if err := client.Do(ctx, request, &text); err != nil {
		return a.end(ctx, err)
	}
	return printer.single(text)
}

// operationAt returns the operation that a request matches, or the zero
// Operation if there is none.
func operationAt(method, path string) (reached practice.Operation) {
	segments, literals := strings.Split(path, "/"), -1
	for _, o := range practice.Operations() {
		template, n := strings.Split(o.Path, "/"), 0
		same := o.Method == method && slices.EqualFunc(template, segments, func(name, value string) bool {
			if strings.HasPrefix(name, "{") {
				return true
			}
			n++
			return strings.EqualFold(name, value)
		})
		if same && n > literals {
			reached, literals = o, n
		}
	}
	return reached
}
