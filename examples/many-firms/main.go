// Many-firms serves several law firms with one program. Each firm has a client
// and tokens, which all replicas share through a database; all firms share one
// rate limit.
//
//	go run ./examples/many-firms
//
// It demonstrates three firms, each with an embedded service, and two replicas.
// The access tokens of all firms expire at the same time, each refresh token
// can be used once, and one firm has revoked its grant. See docs/sign-in.md.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"

	"golang.org/x/time/rate"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/auth/authsql"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func main() {
	log.SetFlags(0)
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

// app holds the service's URLs and the credentials of the program.
type app struct {
	baseURL, authURL, tokenURL, clientID string
	apiKey, clientSecret                 models.Secret
}

// replica is a process that serves all firms.
type replica struct {
	tokens  *authsql.Database
	limiter practice.Limiter // per client id, so shared by all firms
	clients map[string]*practice.Client
}

// client returns the client of a firm. It creates only one, because a client
// holds the connections and the token.
func (r *replica) client(firm string, a app) (*practice.Client, error) {
	if client := r.clients[firm]; client != nil {
		return client, nil
	}
	client, err := practice.NewClient(a.baseURL,
		practice.WithAPIKey(a.apiKey.Reveal()),
		practice.WithTokens(auth.Source{
			Credentials: auth.RefreshCredentials{TokenURL: a.tokenURL, ClientID: a.clientID, ClientSecret: a.clientSecret},
			Store:       r.tokens.Store(firm),
		}),
		practice.WithLimiter(r.limiter))
	if err == nil {
		r.clients[firm] = client
	}
	return client, err
}

// visit reads something from a firm. A firm that must sign in again does not
// stop the others.
func (r *replica) visit(ctx context.Context, firm string, a app) (string, error) {
	client, err := r.client(firm, a)
	if err != nil {
		return "", err
	}
	read, err := client.Firm.Get(ctx)
	refused, isRefused := errors.AsType[*auth.TokenError](err)
	switch {
	case errors.Is(err, auth.ErrNotSignedIn), isRefused && refused.Code == "invalid_grant":
		return "its user has to sign in again", nil
	case err != nil:
		return "", err
	}
	return plain(read.Name), nil
}

// signIn simulates a user of the firm. A web application redirects the user to
// the URL of Begin, and passes the redirect back to Exchange.
func (a app) signIn(ctx context.Context, tokens auth.TokenStore) error {
	login := auth.AuthorizationCode{
		AuthURL: a.authURL, TokenURL: a.tokenURL, ClientID: a.clientID, ClientSecret: a.clientSecret, TokenStore: tokens,
	}
	_, err := login.Loopback(ctx, func(address string) error {
		page, err := http.Get(address) //nolint:gosec,noctx // of the embedded service
		if err != nil {
			return err
		}
		return page.Body.Close()
	})
	return err
}

func run(ctx context.Context) (err error) {
	dir, err := os.MkdirTemp("", "practice-firms-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	var replicas []*replica
	for range 2 {
		db, err := openDatabase(ctx, filepath.Join(dir, "tokens.db"), "")
		if err != nil {
			return err
		}
		defer func() { _ = db.Close() }()
		tokens, err := authsql.Open(ctx, db, authsql.Options{})
		if err != nil {
			return err
		}
		replicas = append(replicas, &replica{tokens, rate.NewLimiter(5, 5), map[string]*practice.Client{}})
	}
	for i := range 3 {
		firm := fmt.Sprintf("firm-%d", i+1)
		service, err := practicetest.Start(practicetest.WithOneTimeRefresh(true), practicetest.WithSeed(uint64(i)))
		if err != nil {
			return err
		}
		a := appOf(service)
		if err := a.signIn(ctx, replicas[0].tokens.Store(firm)); err != nil {
			return err
		}
		if i == 1 {
			service.RevokeRefreshToken()
		}
		service.ExpireTokens()
		for number, r := range replicas {
			found, err := r.visit(ctx, firm, a)
			if err != nil {
				return err
			}
			fmt.Printf("%s, replica %d: %s\n", firm, number+1, found)
		}
	}
	fmt.Println("\nNext: authsql.Options.Numbered is for PostgreSQL; openDatabase is for SQLite.")
	return nil
}

func appOf(service *practicetest.Server) app {
	c := service.Credentials()
	return app{service.BaseURL(), service.AuthorizeURL(), service.TokenURL(), c.ClientID, models.NewSecret(c.APIKey), models.NewSecret(c.ClientSecret)}
}
