package command

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

func (a *app) whoamiCommand() *cobra.Command {
	return &cobra.Command{
		Use: "whoami", Short: "Show the firm, the user and the scopes that commands use", Args: takes,
		Long: "Shows the profile and the firm that commands use. The user, the scopes and the expiry come from the access token if it can be read. " +
			"Otherwise, the user and the scopes are those recorded by practice login. A profile that requested no scopes has all scopes that were granted.",
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
		return phaseCheck.of(err)
	}
	client, err := a.client(t)
	if err != nil {
		return phaseCheck.of(err)
	}
	firm, err := client.Firm.Get(ctx)
	if err != nil {
		return notSent(phaseSend.of(err))
	}
	who := identity{
		Profile: t.Name, Service: t.BaseURL, Firm: firm.Name, FirmID: firm.ID, User: t.UserID, Scopes: t.Scopes, Tokens: t.where, ReadOnly: t.ReadOnly,
	}
	token, expires, err := t.held(ctx)
	if err != nil {
		return phaseShow.of(err)
	}
	who.describe(token, expires)
	return phaseShow.of(printer.single(encode(who)))
}

// held returns the access token of the target, as far as it is known, and its
// expiry.
func (t *target) held(ctx context.Context) (token string, expires time.Time, err error) {
	if t.store == nil {
		return t.token.Reveal(), time.Time{}, nil
	}
	tokens, err := t.store.Load(ctx)
	return tokens.AccessToken.Reveal(), tokens.Expiry, err
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
	_, payload, _ := strings.Cut(token, ".")
	payload, _, _ = strings.Cut(payload, ".")
	text, _ := base64.RawURLEncoding.DecodeString(payload)
	_ = json.Unmarshal(text, &claims) // another token has none
	w.User = cmp.Or(claims.Email, claims.Subject, w.User)
	if scopes := strings.Fields(claims.Scope); len(scopes) > 0 {
		w.Scopes = scopes
	}
	if expires.IsZero() && claims.Expiry > 0 {
		expires = time.Unix(int64(claims.Expiry), 0)
	}
	if !expires.IsZero() {
		w.Expires = expires.UTC().Format(time.RFC3339)
	}
}
