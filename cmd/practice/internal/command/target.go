package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/spf13/cobra"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/models"
)

// environment is the name of the profile in the environment variables.
const environment = "environment"

// target is the service that a command uses.
type target struct {
	profile
	apiKey models.Secret
	tokens practice.TokenSource
	wire   *http.Client // nil for the default client
	where  string       // place where the tokens are stored
	store  *auth.TokenFile
	token  models.Secret // access token of the environment
}

// String returns the text for the target in questions.
func (t *target) String() string { return fmt.Sprintf("profile %s (%s)", t.Name, t.BaseURL) }

// target returns the service that the command line or the environment selects.
func (a *app) target(ctx context.Context) (t *target, err error) {
	p, err := a.selected()
	switch {
	case err != nil:
		return nil, err
	case p != nil:
		t, err = a.profileTarget(ctx, p)
	case a.sandbox != "":
		t, err = a.sandboxTarget(ctx)
	default:
		t, err = a.environmentTarget()
	}
	if err == nil && isOn(a.variable(readOnlyVariable)) {
		t.ReadOnly = true
	}
	return t, err
}

// readOnlyVariable forbids writes, whatever the profile.
const readOnlyVariable = "PRACTICE_READ_ONLY"

// selected returns the stored profile that commands work with: that of
// --profile or PRACTICE_PROFILE, or else the current one. It returns nil for a
// sandbox and for the environment.
func (a *app) selected() (*profile, error) {
	name := a.profileName()
	switch {
	case a.sandbox != "" && a.profile != "":
		return nil, misuse{errors.New("--sandbox and --profile cannot be combined: each of them selects a firm")}
	case a.sandbox != "", name == "" && a.ofEnvironment(), name == environment:
		return nil, nil //nolint:nilnil // it is not stored
	}
	all, err := a.profiles(false)
	if err != nil {
		return nil, err
	}
	if name = cmp.Or(name, all.Current); name == "" {
		return nil, fmt.Errorf("%w; use --sandbox to work without an account", auth.ErrNotSignedIn)
	}
	return all.named(name)
}

// ofEnvironment reports whether the environment is a profile.
func (a *app) ofEnvironment() bool { return a.variable("PRACTICE_BASE_URL") != "" }

// noteOther says if commands do not work with a profile that was chosen just
// now.
func (a *app) noteOther(name string) {
	switch other := a.variable("PRACTICE_PROFILE"); {
	case other != "" && other != name:
		a.note("Commands use profile %s while PRACTICE_PROFILE is set. To use this profile, pass --profile %s.", other, name)
	case other == "" && a.ofEnvironment():
		a.note("Commands use the environment while PRACTICE_BASE_URL is set. To use this profile, pass --profile %s.", name)
	}
}

// really refuses --dry-run for a command that has no request to print.
func (a *app) really(c *cobra.Command, _ []string) error {
	a.reached = c.CommandPath()
	if a.dryRun {
		return misuse{fmt.Errorf("%s does not support --dry-run, because it has no request to print", c.CommandPath())}
	}
	return nil
}

// profileTarget returns the service of a profile. For a dry run it does not
// read the secrets.
func (a *app) profileTarget(ctx context.Context, p *profile) (*target, error) {
	t := &target{profile: *p, where: "file"}
	if p.Keyring {
		t.where = "keyring"
	}
	if a.dryRun {
		return t, nil
	}
	k, err := a.loadKeys(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("profile %s: %w", p.Name, err)
	}
	if k.api.IsZero() {
		return nil, fmt.Errorf("profile %s: %w", p.Name, auth.ErrNotSignedIn)
	}
	store, err := a.secretFile(p, tokensFile)
	if err != nil {
		return nil, err
	}
	t.apiKey, t.store = k.api, &store
	t.tokens = auth.Source{Credentials: p.credentials(k.client), Store: store}
	return t, nil
}

// credentials returns the credentials that renew the tokens of a profile.
func (p *profile) credentials(secret models.Secret) auth.Credentials {
	if p.Grant == grantClient {
		return auth.ClientCredentials{TokenURL: p.TokenURL, ClientID: p.ClientID, ClientSecret: secret, Scopes: p.Scopes}
	}
	return auth.RefreshCredentials{TokenURL: p.TokenURL, ClientID: p.ClientID, ClientSecret: secret}
}

// environmentTarget returns the service in the environment variables. Its
// tokens are not stored.
func (a *app) environmentTarget() (*target, error) {
	t := &target{where: environment, profile: profile{
		Name: environment, BaseURL: a.variable("PRACTICE_BASE_URL"), TokenURL: a.variable("PRACTICE_TOKEN_URL"), ClientID: a.variable("PRACTICE_CLIENT_ID"),
	}}
	token, secret := models.NewSecret(a.variable("PRACTICE_ACCESS_TOKEN")), models.NewSecret(a.variable("PRACTICE_CLIENT_SECRET"))
	t.apiKey, t.token = models.NewSecret(a.variable("PRACTICE_API_KEY")), token
	a.hide(t.apiKey, token, secret)
	switch {
	case t.BaseURL == "", t.apiKey.IsZero():
		return nil, misuse{errors.New("set both PRACTICE_BASE_URL and PRACTICE_API_KEY in the environment")}
	case !token.IsZero():
		t.tokens = practice.TokenFunc(func(context.Context, string) (string, error) { return token.Reveal(), nil })
	case t.TokenURL == "", t.ClientID == "", secret.IsZero():
		return nil, misuse{errors.New("set either PRACTICE_ACCESS_TOKEN or all of PRACTICE_TOKEN_URL, PRACTICE_CLIENT_ID and PRACTICE_CLIENT_SECRET in the environment")}
	default:
		t.Grant = grantClient
		t.tokens = t.credentials(secret)
	}
	return t, nil
}

// isOn parses a boolean variable. An invalid value counts as true, because such
// variables forbid something.
func isOn(text string) bool { return text != "" && text != "0" && text != "false" && text != "off" }

// client returns the client of a target.
func (a *app) client(t *target, more ...practice.ClientOption) (*practice.Client, error) {
	if a.dryRun {
		return t.unsent(printed{a.Out})
	}
	opts := []practice.ClientOption{practice.WithAPIKey(t.apiKey.Reveal()), practice.WithTokens(t.tokens), a.debugging()}
	if wire := cmp.Or(a.wire, t.wire); wire != nil {
		opts = append(opts, practice.WithHTTPClient(wire))
	}
	return t.newClient(append(opts, more...)...)
}

// unsent returns a client that passes requests to wire instead of sending them.
// It has no secrets.
func (t *target) unsent(wire http.RoundTripper) (*practice.Client, error) {
	return t.newClient(practice.WithRetries(0), practice.WithAPIKey("none"), practice.WithAccessToken("none"),
		practice.WithHTTPClient(&http.Client{Transport: wire}))
}

func (t *target) newClient(opts ...practice.ClientOption) (*practice.Client, error) {
	opts = append(opts, practice.WithUserAgent("practice-cli"))
	if t.UserID != "" {
		opts = append(opts, practice.WithUserID(t.UserID))
	}
	client, err := practice.NewClient(t.BaseURL, opts...)
	if err != nil || t.AccountID == "" {
		return client, err
	}
	return client.ForAccount(t.AccountID), nil
}
