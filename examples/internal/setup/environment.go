package setup

import (
	"fmt"
	"strings"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// Env returns a variable of the environment, as os.Getenv does.
type Env func(name string) string

// Variable returns the name of a variable of the programs.
func Variable(name string) string { return "PRACTICE_" + name }

func (e Env) get(name string) string { return strings.TrimSpace(e(Variable(name))) }

func (e Env) secret(name string) models.Secret { return models.NewSecret(e.get(name)) }

// access holds the addresses and credentials of a service.
type access struct {
	BaseURL, TokenURL, ClientID       string
	APIKey, ClientSecret, AccessToken models.Secret
}

func accessFrom(env Env) access {
	return access{
		BaseURL: env.get("BASE_URL"), TokenURL: env.get("TOKEN_URL"), ClientID: env.get("CLIENT_ID"),
		APIKey: env.secret("API_KEY"), ClientSecret: env.secret("CLIENT_SECRET"), AccessToken: env.secret("ACCESS_TOKEN"),
	}
}

func accessTo(server *practicetest.Server) access {
	c := server.Credentials()
	return access{
		BaseURL: server.BaseURL(), TokenURL: server.TokenURL(), ClientID: c.ClientID,
		APIKey: models.NewSecret(c.APIKey), ClientSecret: models.NewSecret(c.ClientSecret),
	}
}

// grant chooses where access tokens come from: client credentials when they are
// complete, because those can be renewed, else the access token.
func (a access) grant() (option practice.ClientOption, signIn string, err error) {
	var missing []string
	require := func(name string, absent bool) {
		if absent {
			missing = append(missing, Variable(name))
		}
	}
	require("TOKEN_URL", a.TokenURL == "")
	require("CLIENT_ID", a.ClientID == "")
	require("CLIENT_SECRET", a.ClientSecret.IsZero())
	switch {
	case a.APIKey.IsZero():
		return nil, "", fmt.Errorf("%s is set, but %s is not", Variable("BASE_URL"), Variable("API_KEY"))
	case len(missing) == 0:
		return practice.WithTokens(auth.ClientCredentials{
			TokenURL: a.TokenURL, ClientID: a.ClientID, ClientSecret: a.ClientSecret,
		}), "client credentials", nil
	case !a.AccessToken.IsZero():
		return practice.WithAccessToken(a.AccessToken.Reveal()), "an access token", nil
	}
	return nil, "", fmt.Errorf("%s is set, but %s is not; %s would do as well",
		Variable("BASE_URL"), strings.Join(missing, ", "), Variable("ACCESS_TOKEN"))
}
