// Package sandbox runs the embedded service as a command-line program with a
// web page. The programs practice-sandbox and practice sandbox consist of a
// call of Run.
package sandbox

import (
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"strings"

	"github.com/practicesdk/practice-go/api"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/practicetest"
)

//go:embed page
var page embed.FS

// Run serves until ctx ends and returns the exit code. The help and the errors
// show name as the name of the program.
func Run(ctx context.Context, name string, args []string, stdout, stderr io.Writer) int {
	told, help, err := parse(name, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		_, err = io.WriteString(stdout, help)
	case err != nil:
		_, _ = fmt.Fprintf(stderr, "%s: %v\n%s", name, err, help) // there is nowhere to report a failed write
		return 2
	case told.openAPI:
		_, err = io.WriteString(stdout, api.OpenAPI())
	default:
		err = serve(ctx, told, stdout, stderr)
	}
	if err != nil {
		_, _ = fmt.Fprintf(stderr, "%s: %v\n", name, err) // there is nowhere to report a failed write
		return 1
	}
	return 0
}

// serve runs the service until ctx ends. It prints each request that the API
// does not allow, and returns an error if there were any.
func serve(ctx context.Context, told *settings, stdout, stderr io.Writer) error {
	stderr = &shared{to: stderr}
	files, err := fs.Sub(page, "page")
	if err != nil {
		return err
	}
	server, err := practicetest.Start(append(told.options(), practicetest.WithControlPage(files), practicetest.WithViolationHandler(func(text string) {
		_, _ = fmt.Fprintf(stderr, "violation: %s\n", text) // there is nowhere to report a failed write
	}), practicetest.WithRequestHandler(requestLog(told.log, stderr)))...)
	if err != nil {
		return err
	}
	_, err = io.WriteString(stdout, greeting(server, told.state))
	if err == nil {
		<-ctx.Done()
	}
	if found := len(server.Violations()); found > 0 {
		err = errors.Join(err, fmt.Errorf("requests that the API does not allow: %d", found))
	}
	return errors.Join(err, server.Close())
}

// greeting returns the text printed at the start. It is a shell script of
// assignments and comments, so that a shell can source it.
func greeting(s *practicetest.Server, state string) string {
	c, f := s.Credentials(), s.Firm()
	var b strings.Builder
	for _, v := range [][2]string{
		{"BASE_URL", s.BaseURL()},
		{"TOKEN_URL", s.TokenURL()},
		{"AUTHORIZE_URL", s.AuthorizeURL()},
		{"SANDBOX_URL", s.ControlURL()},
		{"SANDBOX_PAGE", pageAddress(s)},
		{"CLIENT_ID", c.ClientID},
		{"CLIENT_SECRET", c.ClientSecret},
		{"API_KEY", c.APIKey},
		{"ACCESS_TOKEN", c.AccessToken},
		{"REFRESH_TOKEN", c.RefreshToken},
	} {
		assign(&b, v[0], v[1])
	}
	f.UserID = c.UserID // StaffID may be removed by a test; the user of the credentials stays
	for _, fact := range operations.Facts(f) {
		assign(&b, fact.Name, fact.Value)
	}
	kept := "nothing is saved"
	if state != "" {
		kept = "its state is saved"
	}
	b.WriteString(`# The sandbox is open. To close it, press Ctrl-C; ` + kept + `.
# To look around in a browser, open $PRACTICE_SANDBOX_PAGE.
# With these variables set, for example:
#   curl -H "x-api-key: $PRACTICE_API_KEY" \
#        -H "Authorization: Bearer $PRACTICE_ACCESS_TOKEN" \
#        "$PRACTICE_BASE_URL/bankaccounts"
`)
	return b.String()
}

// pageAddress returns the address of the page, with the API key in the
// fragment: browsers do not send the fragment to a server.
func pageAddress(s *practicetest.Server) string {
	return strings.TrimSuffix(s.ControlURL(), "/_sandbox") + "/#key=" + url.PathEscape(s.Credentials().APIKey)
}

func assign(b *strings.Builder, name, value string) {
	fmt.Fprintf(b, "export PRACTICE_%s=%s\n", name, quote(value))
}

// quote quotes s as a single word for the shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
