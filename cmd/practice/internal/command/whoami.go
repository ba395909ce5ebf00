package command

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

func (a *app) whoamiCommand() *cobra.Command {
	return &cobra.Command{
		Use: "whoami", Short: "Show the firm, the user and the scopes that commands work with", Args: noArguments,
		Long: "Shows the profile and the firm that commands work with. The user, the scopes and the expiry are those of the access token, as far as it can be read; " +
			"without them the user and the scopes are those of practice login, and a profile that asked for none has all that are granted.",
		Example: "practice --sandbox whoami",
		RunE:    func(c *cobra.Command, _ []string) error { return a.whoami(c.Context()) },
	}
}

// identity is the output of whoami.
type identity struct {
	Profile  string   `json:"profile"`
	Service  string   `json:"service"`
	Firm     string   `json:"firm"`
	FirmID   string   `json:"firmId"`
	User     string   `json:"user,omitempty"`
	Scopes   []string `json:"scopes,omitempty"`
	Expires  string   `json:"expires,omitempty"`
	Tokens   string   `json:"tokens"` // place where they are stored
	ReadOnly bool     `json:"readOnly"`
}

func (a *app) whoami(ctx context.Context) error {
	printer, err := a.printer()
	if err != nil {
		return err
	}
	t, err := a.target(ctx)
	if err != nil {
		return err
	}
	client, err := a.client(t)
	if err != nil {
		return err
	}
	firm, err := client.Firm.Get(ctx)
	if err != nil {
		return a.notSent(phaseSend.of(err))
	}
	who := identity{
		Profile: t.Name, Service: t.BaseURL, Firm: firm.Name, FirmID: firm.ID, User: t.UserID, Scopes: t.Scopes, Tokens: t.where, ReadOnly: t.ReadOnly,
	}
	token, expires, err := a.tokenOf(ctx, t)
	if err != nil {
		return err
	}
	who.describe(token, expires)
	return printer.single(encode(who))
}

// tokenOf returns the access token of a target that stores one, and its expiry.
func (a *app) tokenOf(ctx context.Context, t *target) (token string, expires time.Time, err error) {
	if t.where == "file" || t.where == "keyring" {
		store, err := a.tokens(&t.profile)
		if err != nil {
			return "", time.Time{}, err
		}
		held, err := store.Load(ctx)
		return held.AccessToken.Reveal(), held.Expiry, err
	}
	return a.variable("PRACTICE_ACCESS_TOKEN"), time.Time{}, nil
}

// describe adds the claims of an access token of RFC 9068. They are only
// displayed, and not verified.
func (w *identity) describe(token string, expires time.Time) {
	var claims struct {
		Subject string  `json:"sub"`
		Email   string  `json:"email"`
		Scope   string  `json:"scope"`
		Expiry  float64 `json:"exp"`
	}
	if parts := strings.Split(token, "."); len(parts) == 3 {
		if text, err := base64.RawURLEncoding.DecodeString(parts[1]); err == nil && json.Unmarshal(text, &claims) == nil {
			for _, user := range []string{claims.Subject, claims.Email} {
				if user != "" {
					w.User = user
				}
			}
			if scopes := strings.Fields(claims.Scope); len(scopes) > 0 {
				w.Scopes = scopes
			}
			if expires.IsZero() && claims.Expiry > 0 {
				expires = time.Unix(int64(claims.Expiry), 0)
			}
		}
	}
	if !expires.IsZero() {
		w.Expires = expires.UTC().Format(time.RFC3339)
	}
}
