package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"

	"github.com/spf13/cobra"

	"github.com/practicesdk/practice-go/adapters/keyring"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/models"
)

// login holds the options of a sign-in.
type login struct {
	*app
	given                        profile // values from flags
	client, noBrowser, noKeyring bool
	assistants                   bool     // the profile is that of assistants
	allow                        []string // ids of the writes that assistants may send
	redirect                     string
}

// pastedRedirect is the redirect URL of a sign-in with a browser on another
// machine. Nothing needs to listen there.
const pastedRedirect = "http://127.0.0.1:8976/signed-in"

func (a *app) loginCommand() *cobra.Command {
	l := &login{app: a}
	c := &cobra.Command{
		Use: "login", Short: "Sign in and store the tokens for later commands",
		Long: "Signs in a user in the browser, or the program itself with --client-credentials, and stores the result as a profile. Asks for missing settings. " +
			"The URLs and the client id come from flags, or all of them from the environment. The secrets are read without echo on a terminal, and otherwise from lines of stdin, the API key first. " +
			"PRACTICE_API_KEY and PRACTICE_CLIENT_SECRET are used only if the URLs come from the environment. " +
			"The tokens are encrypted with a key in the system keyring. Without a keyring, they are stored in a file that only you can read.",
		Example: "practice login --profile office\n" +
			"practice login --profile office --no-browser   # on a machine without one\n" +
			"practice login --profile nightly --client-credentials --read-only <keys.txt",
		Args: takes, PreRunE: a.really,
		RunE: func(c *cobra.Command, _ []string) error { return l.run(c) },
	}
	flags := c.Flags()
	flags.StringVar(&l.given.BaseURL, "base-url", "", "URL of the service; default: PRACTICE_BASE_URL")
	flags.StringVar(&l.given.AuthorizeURL, "authorize-url", "", "URL of the sign-in page; default: PRACTICE_AUTHORIZE_URL")
	flags.StringVar(&l.given.TokenURL, "token-url", "", "URL of the token endpoint; default: PRACTICE_TOKEN_URL")
	flags.StringVar(&l.given.ClientID, "client-id", "", "id of the OAuth client; default: PRACTICE_CLIENT_ID")
	flags.StringSliceVar(&l.given.Scopes, "scopes", nil, "scopes to request, such as matters/read; default: all")
	flags.StringVar(&l.given.AccountID, "account", "", "account to use, for a client with several accounts")
	flags.StringVar(&l.given.UserID, "user-id", "", "id of the user on whose behalf requests are sent")
	flags.StringVar(&l.redirect, "redirect-url", "", "registered redirect URL on this machine; default: a URL with any free port")
	flags.BoolVar(&l.client, "client-credentials", false, "sign in the program instead of a user")
	flags.BoolVar(&l.noBrowser, "no-browser", false, "print the sign-in URL and ask for the URL to which the browser is redirected")
	flags.BoolVar(&l.noKeyring, "no-keyring", false, "store the tokens in a file that only you can read")
	flags.BoolVar(&l.given.ReadOnly, "read-only", false, "block writes with this profile")
	flags.BoolVar(&l.assistants, "for-assistants", false, "create the profile "+assistants+" for practice mcp, with only read scopes and the scopes that --allow requires")
	flags.StringSliceVar(&l.allow, "allow", nil, "ids of the write operations that an assistant can send; requires --for-assistants")
	completeWith(c, "allow", allowable)
	return c
}

func (l *login) run(c *cobra.Command) error {
	ctx := c.Context()
	all, err := l.profiles(true)
	if err != nil {
		return phaseCheck.of(err)
	}
	name := cmp.Or(l.profileName(), all.Current, "default")
	if l.assistants || l.allow != nil {
		name, err = l.forAssistants(all)
	}
	if err := cmp.Or(err, checkName(name)); err != nil {
		return err
	}
	p := l.merged(c, name, all.Profiles[name])
	stored, err := l.addresses(ctx, p, all.Profiles[name])
	if err != nil {
		return phaseAsk.of(err)
	}
	k, err := l.secrets(ctx, p, stored)
	if err != nil {
		return phaseAsk.of(err)
	}
	if _, err := (&target{profile: *p}).unsent(printed{io.Discard}); err != nil {
		return phaseCheck.of(err)
	}
	l.choosePlace(ctx, p)
	fresh := new(memory)
	firm, err := l.signIn(ctx, p, k, fresh)
	if err != nil {
		return phaseSend.of(err)
	}
	return phaseShow.of(l.keep(ctx, p, k, fresh.Tokens, firm))
}

// forAssistants returns the name of the profile for assistants, and sets what it
// needs. It changes no profile of a person.
func (l *login) forAssistants(all *profiles) (name string, err error) {
	name = cmp.Or(l.profile, assistants)
	switch held := all.Profiles[name]; {
	case !l.assistants:
		return "", misuse{errors.New("--allow requires --for-assistants")}
	case l.given.Scopes != nil:
		return "", misuse{errors.New("--for-assistants cannot be combined with --scopes, because it sets the scopes")}
	case held != nil && !held.Assistants:
		return "", misuse{fmt.Errorf("profile %s belongs to a person; use --profile to specify a different one", name)}
	}
	l.given.Assistants = true
	l.given.Scopes, err = scopesForAssistants(l.allow)
	return name, err
}

// merged returns the profile with what the flags say about the user, the scopes
// and the way of signing in.
func (l *login) merged(c *cobra.Command, name string, held *profile) *profile {
	p := &profile{Name: name, Grant: grantCode}
	if held != nil {
		*p = *held
		p.Scopes = slices.Clone(held.Scopes)
	}
	p.AccountID, p.UserID = cmp.Or(l.given.AccountID, p.AccountID), cmp.Or(l.given.UserID, p.UserID)
	p.Assistants = p.Assistants || l.given.Assistants
	if l.given.Scopes != nil {
		p.Scopes = l.given.Scopes
	}
	if c.Flags().Changed("read-only") {
		p.ReadOnly = l.given.ReadOnly
	}
	if c.Flags().Changed("client-credentials") {
		p.Grant = grantCode
		if l.client {
			p.Grant = grantClient
		}
	}
	return p
}

// piece is an address, or the id of the client, of a profile.
type piece struct {
	value                            *string // of the profile
	flag, given, held, env, question string
	needed                           bool
}

func (l *login) settings(p, held *profile) []piece {
	held = cmp.Or(held, new(profile))
	return []piece{
		{&p.BaseURL, "--base-url", l.given.BaseURL, held.BaseURL, l.variable("PRACTICE_BASE_URL"), "URL of the service", true},
		{&p.AuthorizeURL, "--authorize-url", l.given.AuthorizeURL, held.AuthorizeURL, l.variable("PRACTICE_AUTHORIZE_URL"), "URL of the sign-in page", p.Grant == grantCode},
		{&p.TokenURL, "--token-url", l.given.TokenURL, held.TokenURL, l.variable("PRACTICE_TOKEN_URL"), "URL of the token endpoint", true},
		{&p.ClientID, "--client-id", l.given.ClientID, held.ClientID, l.variable("PRACTICE_CLIENT_ID"), "Id of the OAuth client", true},
	}
}

// addresses sets the addresses and the client of a profile. All of them come
// from one place: the stored profile, flags, or the environment; what that
// place lacks is asked for. stored reports whether they are those of the stored
// profile, to which its secrets belong; who gives all of them by flags gives
// the secrets anew, too.
func (l *login) addresses(ctx context.Context, p, held *profile) (stored bool, err error) {
	settings := l.settings(p, held)
	given := slices.ContainsFunc(settings, func(s piece) bool { return s.given != "" })
	whole := !slices.ContainsFunc(settings, func(s piece) bool { return s.needed && s.given == "" })
	stored = held != nil && !slices.ContainsFunc(settings, func(s piece) bool { return s.given != "" && s.held != "" && s.given != s.held })
	fromEnv := held == nil && !given && settings[0].env != ""
	for _, s := range settings {
		from, elsewhere := s.given, cmp.Or(s.held, s.env)
		switch {
		case stored:
			from, elsewhere = cmp.Or(s.held, s.given), s.env
		case fromEnv:
			from, elsewhere = s.env, ""
		}
		if *s.value = from; from != "" || !s.needed {
			continue
		}
		if elsewhere != "" {
			return false, misuse{fmt.Errorf("%s is missing: all settings of a profile must come from the same source; set --base-url, --token-url, --client-id and, to sign in a user, --authorize-url, or use a different --profile", s.flag)}
		}
		if *s.value, err = l.needed(ctx, s.question, s.flag, false); err != nil {
			return false, err
		}
	}
	if !stored {
		p.AccountID, p.UserID = l.given.AccountID, l.given.UserID // the others belong to the firm before
	}
	return stored && !whole, nil
}

// needed asks for a value that must not be empty.
func (l *login) needed(ctx context.Context, name, how string, secret bool) (string, error) {
	text, err := l.ask(ctx, name+": ", secret)
	if err == nil && text == "" {
		err = errNobody
	}
	if errors.Is(err, errNobody) {
		return "", misuse{fmt.Errorf("%s is missing; provide %s: %w", name, how, err)}
	}
	return text, err
}

// secrets returns the API key and the client secret of a profile. Those of the
// environment and of the stored profile are taken only for the addresses with
// which they were given; the others are asked for.
func (l *login) secrets(ctx context.Context, p *profile, stored bool) (k keys, err error) {
	if stored {
		if k, err = l.loadKeys(ctx, p); err != nil && !errors.Is(err, errOtherAddress) {
			return k, err
		}
	}
	had := !k.api.IsZero()
	if err := l.fromEnvironment(p, &k); err != nil {
		return k, err
	}
	if k.api.IsZero() {
		if k.api, err = l.secret(ctx, "API key", true); err != nil {
			return k, err
		}
	}
	if program := p.Grant == grantClient; k.client.IsZero() && (program || !had) {
		if k.client, err = l.secret(ctx, "Client secret", program); err != nil {
			return k, err
		}
	}
	l.hide(k.api, k.client)
	return k, nil
}

// secret asks for a secret. A public client has no client secret.
func (l *login) secret(ctx context.Context, name string, needed bool) (models.Secret, error) {
	if needed {
		text, err := l.needed(ctx, name, "a line of stdin", true)
		return models.NewSecret(text), err
	}
	text, err := l.ask(ctx, name+" (empty for a public client): ", true)
	if errors.Is(err, errNobody) {
		err = nil
	}
	return models.NewSecret(text), err
}

// fromEnvironment takes the secrets of the environment. It refuses them if they
// belong to other addresses.
func (l *login) fromEnvironment(p *profile, k *keys) error {
	sameClient := l.variable("PRACTICE_TOKEN_URL") == p.TokenURL && l.variable("PRACTICE_CLIENT_ID") == p.ClientID
	for _, s := range []struct {
		into         *models.Secret
		name, belong string
		same         bool
	}{
		{&k.api, "PRACTICE_API_KEY", "PRACTICE_BASE_URL", l.variable("PRACTICE_BASE_URL") == p.BaseURL},
		{&k.client, "PRACTICE_CLIENT_SECRET", "PRACTICE_TOKEN_URL and PRACTICE_CLIENT_ID", sameClient},
	} {
		text := l.variable(s.name)
		switch {
		case text == "":
		case !s.same:
			return misuse{fmt.Errorf("%s does not belong to the URLs and client id of profile %s: unset it to be asked for the secret, or set %s to the profile's values", s.name, p.Name, s.belong)}
		default:
			*s.into = models.NewSecret(text)
		}
	}
	return nil
}

// memory holds the tokens of a sign-in until it has succeeded. It begins empty,
// so that the service judges the secrets.
type memory struct{ auth.Tokens }

// Lock locks nothing: nobody else has the store.
func (m *memory) Lock(context.Context) (unlock func(), err error) { return func() {}, nil }

// Load returns the tokens.
func (m *memory) Load(context.Context) (auth.Tokens, error) { return m.Tokens, nil }

// Save replaces the tokens.
func (m *memory) Save(_ context.Context, tokens auth.Tokens) error {
	m.Tokens = tokens
	return nil
}

// choosePlace chooses where the tokens are stored. If the keyring is not
// usable, it falls back to files.
func (l *login) choosePlace(ctx context.Context, p *profile) {
	p.Keyring = false
	if l.noKeyring {
		return
	}
	if _, err := keyring.Key(keyringService, p.Name)(ctx); err != nil {
		l.note("The system keyring is not available (%v). The tokens are stored in a file that only you can read.", err)
		return
	}
	p.Keyring = true
}

// signIn gets tokens and requests the firm with them. It returns the name of
// the firm.
func (l *login) signIn(ctx context.Context, p *profile, k keys, store auth.TokenStore) (firm string, err error) {
	client, err := l.app.client(&target{profile: *p, apiKey: k.api, tokens: auth.Source{Credentials: p.credentials(k.client), Store: store}})
	if err != nil {
		return "", err
	}
	defer client.CloseIdleConnections()
	if p.Grant == grantCode {
		if err := l.authorize(ctx, p, k, store); err != nil {
			return "", err
		}
	}
	record, err := client.Firm.Get(ctx)
	if err != nil {
		return "", err
	}
	return record.Name, nil
}

// authorize signs the user in, with a browser on this or another machine.
func (l *login) authorize(ctx context.Context, p *profile, k keys, store auth.TokenStore) error {
	code := auth.AuthorizationCode{
		AuthURL: p.AuthorizeURL, TokenURL: p.TokenURL, ClientID: p.ClientID, ClientSecret: k.client,
		RedirectURL: l.redirect, Scopes: p.Scopes, TokenStore: store,
	}
	if l.noBrowser {
		return l.paste(ctx, code)
	}
	_, err := code.Loopback(ctx, func(address string) error {
		l.say("Sign in here: %s", address)
		if err := l.open(address); err != nil {
			l.say("Could not open a browser (%v). Open the URL on this machine, or use --no-browser.", err)
		}
		return nil
	})
	return err
}

// paste signs in with a browser on another machine. The redirect URL leads
// nowhere; the user copies it, because it contains the code.
func (l *login) paste(ctx context.Context, code auth.AuthorizationCode) error {
	code.RedirectURL = cmp.Or(code.RedirectURL, pastedRedirect)
	begun := code.Begin()
	l.say("Sign in here: %s", begun.URL)
	l.say("After you sign in, the browser is redirected to a page that does not exist. The page's URL begins with %s.", code.RedirectURL)
	text, err := l.ask(ctx, "Paste that URL: ", true) // the URL contains a code, so it is not echoed
	if err != nil {
		return phaseAsk.of(err)
	}
	back, err := url.Parse(text)
	if err != nil {
		return phaseAsk.of(misuse{errors.New("the input is not a valid URL")})
	}
	_, err = code.Exchange(ctx, begun, back.Query())
	return err
}

// keep stores the profile, its secrets and tokens, and makes it the current
// one. The profile is stored last: secrets of other addresses are never used.
func (l *login) keep(ctx context.Context, p *profile, k keys, tokens auth.Tokens, firm string) error {
	err := l.change(ctx, func(all *profiles) error {
		secrets := auth.Tokens{Owner: p.owner(), AccessToken: k.api, RefreshToken: k.client}
		err := l.save(ctx, p, keysFile, secrets)
		if err == nil {
			err = l.save(ctx, p, tokensFile, tokens)
		}
		if all.Profiles[p.Name] = p; !p.Assistants {
			all.Current = p.Name
		}
		return err
	})
	if err != nil {
		return err
	}
	l.note("Signed in to %s with profile %s.", firm, p.Name)
	l.noteOther(p.Name)
	return nil
}

func (a *app) logoutCommand() *cobra.Command {
	return &cobra.Command{
		Use: "logout", Short: "Remove the tokens and secrets of a profile from this machine", Args: takes, PreRunE: a.really,
		Long: "Removes the tokens and secrets of a profile from this machine. The service is not notified. To sign in again, run practice login.",
		RunE: func(c *cobra.Command, _ []string) error {
			p, err := a.selected()
			if err != nil {
				return phaseCheck.of(err)
			}
			if p == nil {
				return misuse{errors.New("the environment and sandboxes have no stored sign-in; use --profile to specify a profile")}
			}
			if err := a.forget(c.Context(), p); err != nil {
				return err
			}
			a.note("Signed out of profile %s.", p.Name)
			return nil
		},
	}
}
