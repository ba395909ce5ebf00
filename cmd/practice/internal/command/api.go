package command

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"

	practice "github.com/practicesdk/practice-go"
)

// apiCommand returns the command for requests of no operation.
func (a *app) apiCommand() *cobra.Command {
	var body string
	c := &cobra.Command{
		Use: "api METHOD PATH", Short: "Send any request, such as GET /matters?limit=5",
		Example: "practice --sandbox api GET '/matters?limit=5'",
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
	path, rawQuery, _ := strings.Cut(target, "?")
	query, err := url.ParseQuery(rawQuery)
	if err != nil {
		return misuse{err}
	}
	request := practice.Request{Method: strings.ToUpper(method), Path: path, Query: query}
	switch {
	case body == "-":
		request.Body = a.In
	case strings.HasPrefix(body, "@"):
		text, err := os.ReadFile(body[1:])
		if err != nil {
			return misuse{err}
		}
		request.Body = json.RawMessage(text)
	case body != "":
		request.Body = json.RawMessage(body)
	}
	printer, err := a.printer()
	if err != nil {
		return err
	}
	client, err := a.permitted(c.Context(), request.Method)
	if err != nil {
		return err
	}
	var text []byte
	if err := client.Do(c.Context(), request, &text); err != nil {
		return a.end(c.Context(), err)
	}
	return printer.single(text)
}

// permitted returns the client of the target once a request of the method may
// be sent. What one other than GET and HEAD does, nobody here knows.
func (a *app) permitted(ctx context.Context, method string) (*practice.Client, error) {
	t, err := a.target(ctx)
	if err != nil {
		return nil, err
	}
	if method != http.MethodGet && method != http.MethodHead {
		if err := t.mayWrite(); err != nil {
			return nil, err
		}
	}
	if method == http.MethodDelete {
		if err := a.confirm(ctx, method, t); err != nil {
			return nil, err
		}
	}
	return a.client(t)
}
