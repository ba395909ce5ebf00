package command

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/cmd/practice/internal/readers"
)

// apiCommand returns the command that sends a request outside of the known
// operations.
func (a *app) apiCommand() *cobra.Command {
	var body string
	c := &cobra.Command{
		Use: "api METHOD PATH", Short: "Send any request, such as GET /matters?Limit=5",
		Example: "practice --sandbox api GET '/matters?Limit=5'",
		Args:    takes,
		RunE:    func(c *cobra.Command, args []string) error { return a.request(c, args[0], args[1], body) },
	}
	c.ValidArgsFunction = first(func() []string {
		return []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}
	})
	c.Flags().StringVar(&body, "body", "", "the body as JSON, @FILE, or - for stdin")
	return c
}

// classes holds the classes of unknown operations whose method tells them. It
// must not be modified.
var classes = map[string]practice.OperationClass{
	http.MethodGet: practice.OperationRead, http.MethodHead: practice.OperationRead,
	http.MethodPut: practice.OperationIdempotentWrite, http.MethodDelete: practice.OperationIdempotentWrite,
}

func (a *app) request(c *cobra.Command, method, target, body string) error {
	ctx := c.Context()
	path, rawQuery, _ := strings.Cut(target, "?")
	query, err := url.ParseQuery(rawQuery)
	if err != nil {
		return misuse{err}
	}
	request := practice.Request{Method: strings.ToUpper(method), Path: path, Query: query}
	if c.Flags().Changed("body") {
		text, err := a.read(body)
		if err != nil {
			return misuse{fmt.Errorf("--body: %w", err)}
		}
		if !json.Valid([]byte(text)) {
			return misuse{errors.New("--body: not valid JSON")}
		}
		request.Body = json.RawMessage(text)
	}
	out, err := a.printer()
	if err != nil {
		return err
	}
	o, _, _ := readers.Match(a.operations, request.Method, path)
	class := cmp.Or(o.Class, classes[request.Method], practice.OperationCreate)
	request.Once = class == practice.OperationCreate
	text, _ := request.Body.(json.RawMessage)
	return a.run(ctx, &plan{
		what: request.Method + " " + path, class: class, look: "practice api GET " + quoted(path), file: o.Media != "",
		asks: o.Money || o.Deletes(text) || request.Method == http.MethodDelete,
		call: func(client *practice.Client, answer any) error { return client.Do(ctx, request, answer) },
		show: (*printer).single,
	}, out)
}
