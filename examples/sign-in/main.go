// Sign-in signs a user in once, in the browser, and keeps the tokens in a file
// for later runs and for others at the same time.
//
//	go run ./examples/sign-in [file]
//
// Without any variable it starts the embedded service and plays the user
// itself. With PRACTICE_BASE_URL, PRACTICE_API_KEY, PRACTICE_AUTHORIZE_URL,
// PRACTICE_TOKEN_URL and PRACTICE_CLIENT_ID, and PRACTICE_CLIENT_SECRET for a
// client that has one, it signs in to that service. Delete the file to sign
// out.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/examples/internal/term"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

const usage = `usage: sign-in [file]
  file  where the tokens are kept; without a service of your own it may be left
        out
`

func main() {
	os.Exit(program.Run("sign-in", usage, os.Stdout, os.Stderr, func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Getenv)
	}))
}

// run signs in if need be, and makes a call.
func run(ctx context.Context, args []string, stdout io.Writer, env func(string) string) (err error) {
	flags := flag.NewFlagSet("sign-in", flag.ContinueOnError)
	if err := program.Parse(flags, args, 1); err != nil {
		return err
	}
	args = flags.Args()
	s, missing := settingsOf(env, stdout)
	switch {
	case s.baseURL != "" && len(args) == 0:
		return fmt.Errorf("%w: which file?", program.ErrUsage)
	case s.baseURL != "" && len(missing) > 0:
		return fmt.Errorf("set %s as well", strings.Join(missing, ", "))
	case s.baseURL == "":
		server, err := practicetest.Start()
		if err != nil {
			return err
		}
		defer func() { _ = server.Close() }()
		s = settingsOfEmbedded(server)
	}
	file := auth.TokenFile{}
	if len(args) == 1 {
		file.Path = args[0]
	} else {
		dir, err := os.MkdirTemp("", "practice-sign-in-")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		file.Path = filepath.Join(dir, "tokens.json")
	}
	return s.show(ctx, file, stdout)
}

// settings holds the user's settings for a service.
type settings struct {
	baseURL, authURL, tokenURL, clientID string
	apiKey, clientSecret                 models.Secret
	open                                 func(address string) error
}

// settingsOf returns the settings of the variables, and the names of those that
// are missing.
func settingsOf(env func(string) string, stdout io.Writer) (s settings, missing []string) {
	get := func(name string) string { return strings.TrimSpace(env("PRACTICE_" + name)) }
	need := func(name string) string {
		value := get(name)
		if value == "" {
			missing = append(missing, "PRACTICE_"+name)
		}
		return value
	}
	return settings{
		baseURL: get("BASE_URL"), apiKey: models.NewSecret(need("API_KEY")), authURL: need("AUTHORIZE_URL"), tokenURL: need("TOKEN_URL"),
		clientID: need("CLIENT_ID"), clientSecret: models.NewSecret(get("CLIENT_SECRET")), open: offer(stdout, openBrowser),
	}, missing
}

func settingsOfEmbedded(server *practicetest.Server) settings {
	c := server.Credentials()
	return settings{
		baseURL: server.BaseURL(), authURL: server.AuthorizeURL(), tokenURL: server.TokenURL(), clientID: c.ClientID,
		apiKey: models.NewSecret(c.APIKey), clientSecret: models.NewSecret(c.ClientSecret), open: visit,
	}
}

// visit plays the user of the embedded service, who agrees to everything.
func visit(address string) error {
	page, err := http.Get(address) //nolint:gosec,noctx // of the embedded service
	if err != nil {
		return err
	}
	return page.Body.Close()
}

// show makes a call. When only the user can help, it signs the user in and
// makes it again.
func (s settings) show(ctx context.Context, file auth.TokenFile, stdout io.Writer) error {
	firm, err := s.firm(ctx, file)
	if signInNeeded(err) {
		login := auth.AuthorizationCode{
			AuthURL: s.authURL, TokenURL: s.tokenURL, ClientID: s.clientID, ClientSecret: s.clientSecret, TokenStore: file,
		}
		if _, err = login.Loopback(ctx, s.open); err == nil {
			firm, err = s.firm(ctx, file)
		}
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(stdout, "Signed in to", term.Clean(firm.Name))
	return err
}

func (s settings) firm(ctx context.Context, file auth.TokenFile) (*models.Firm, error) {
	client, err := practice.NewClient(s.baseURL,
		practice.WithAPIKey(s.apiKey.Reveal()),
		practice.WithTokens(auth.Source{
			Credentials: auth.RefreshCredentials{TokenURL: s.tokenURL, ClientID: s.clientID, ClientSecret: s.clientSecret},
			Store:       file,
		}))
	if err != nil {
		return nil, err
	}
	defer client.CloseIdleConnections()
	return client.Firm.Get(ctx)
}

// signInNeeded reports whether only the user can help.
func signInNeeded(err error) bool {
	refused, ok := errors.AsType[*auth.TokenError](err)
	return errors.Is(err, auth.ErrNotSignedIn) || ok && refused.Code == "invalid_grant"
}
