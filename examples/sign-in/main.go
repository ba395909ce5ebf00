// Sign-in signs a user in once in a browser, and stores the tokens in a file
// for later and concurrent runs.
//
//	go run ./examples/sign-in [file]
//
// It requires PRACTICE_AUTHORIZE_URL in addition to the variables of the other
// recipes. Without PRACTICE_BASE_URL, it starts the embedded service and
// simulates the user. To sign out, delete the file.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func main() {
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		log.Fatal(err)
	}
}

// app holds the registration of the program at the service.
type app struct {
	baseURL, authURL, tokenURL, clientID string
	apiKey, clientSecret                 models.Secret // a program whose file others can read must not contain a client secret
	open                                 func(address string) error
}

// firm makes a call. If only a sign-in helps, it signs the user in and repeats
// the call.
func (a app) firm(ctx context.Context, file auth.TokenFile) (*models.Firm, error) {
	client, err := practice.NewClient(a.baseURL,
		practice.WithAPIKey(a.apiKey.Reveal()),
		practice.WithTokens(auth.Source{
			Credentials: auth.RefreshCredentials{TokenURL: a.tokenURL, ClientID: a.clientID, ClientSecret: a.clientSecret},
			Store:       file,
		}))
	if err != nil {
		return nil, err
	}
	defer client.CloseIdleConnections()
	firm, err := client.Firm.Get(ctx)
	if !signInNeeded(err) {
		return firm, err
	}
	login := auth.AuthorizationCode{
		AuthURL: a.authURL, TokenURL: a.tokenURL, ClientID: a.clientID, ClientSecret: a.clientSecret, TokenStore: file,
	}
	if _, err := login.Loopback(ctx, a.offer); err != nil {
		return nil, err
	}
	return client.Firm.Get(ctx) // running clients use the new tokens, too
}

// signInNeeded reports whether only a sign-in helps.
func signInNeeded(err error) bool {
	refused, ok := errors.AsType[*auth.TokenError](err)
	return errors.Is(err, auth.ErrNotSignedIn) || ok && refused.Code == "invalid_grant"
}

// offer prints a URL before opening it, so that the user can open it by hand if
// no browser appears.
func (a app) offer(address string) error {
	fmt.Printf("Sign in here:\n\n%s\n\n", address)
	if err := a.open(address); err != nil {
		fmt.Println("No browser could be opened for that:", err)
	}
	return nil
}

// openBrowser opens a URL in the default browser.
func openBrowser(address string) error {
	switch runtime.GOOS {
	case "windows":
		return exec.Command("rundll32", "url.dll,FileProtocolHandler", address).Run() //nolint:gosec,noctx // it ends at once, and no shell reads the address
	case "darwin":
		return exec.Command("open", address).Run() //nolint:gosec,noctx // it ends at once, and no shell reads the address
	}
	return exec.Command("xdg-open", address).Run() //nolint:gosec,noctx // it ends at once, and no shell reads the address
}

func run(ctx context.Context) (err error) {
	file := auth.TokenFile{}
	if len(os.Args) > 1 {
		file.Path = os.Args[1]
	}
	a := app{
		baseURL: os.Getenv("PRACTICE_BASE_URL"), authURL: os.Getenv("PRACTICE_AUTHORIZE_URL"), tokenURL: os.Getenv("PRACTICE_TOKEN_URL"),
		clientID: os.Getenv("PRACTICE_CLIENT_ID"), apiKey: models.NewSecret(os.Getenv("PRACTICE_API_KEY")),
		clientSecret: models.NewSecret(os.Getenv("PRACTICE_CLIENT_SECRET")), open: openBrowser,
	}
	if a.baseURL == "" {
		demo, err := practicetest.Start()
		if err != nil {
			return err
		}
		a = demonstration(demo)
		dir, err := os.MkdirTemp("", "practice-sign-in-")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		file.Path = cmp.Or(file.Path, filepath.Join(dir, "tokens.json"))
	}
	if file.Path == "" {
		return errors.New("name the file for the tokens")
	}
	firm, err := a.firm(ctx, file)
	if err != nil {
		return err
	}
	fmt.Println("Signed in to", plain(firm.Name))
	fmt.Println("\nNext: name a file, and start it again: the sign-in is kept there.")
	return nil
}

// demonstration returns the program as registered at the embedded service, with
// a simulated user who grants everything.
func demonstration(server *practicetest.Server) app {
	c := server.Credentials()
	return app{
		baseURL: server.BaseURL(), authURL: server.AuthorizeURL(), tokenURL: server.TokenURL(), clientID: c.ClientID,
		apiKey: models.NewSecret(c.APIKey), clientSecret: models.NewSecret(c.ClientSecret),
		open: func(address string) error {
			page, err := http.Get(address) //nolint:gosec,noctx // of the embedded service
			if err != nil {
				return err
			}
			return page.Body.Close()
		},
	}
}
