package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"

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
	redirect                     string
}

// pastedRedirect is the redirect URL of a sign-in with a browser on another
// machine. Nothing needs to listen there.
const pastedRedirect = "http://127.0.0.1:8976/signed-in"

func (a *app) loginCommand() *cobra.Command {
	l := &login{app: a}
	c := &cobra.Command{
		Use: "login", Short: "Sign in, and keep the tokens for later commands",
		Long: "Signs a user in with the browser, or with --client-credentials the program itself, and keeps the result as a profile. It asks for the settings that are missing. " +
			"Secrets come from PRACTICE_API_KEY and PRACTICE_CLIENT_SECRET or are asked for: at a terminal without showing them, else as lines of stdin, the API key first. " +
			"The tokens are kept encrypted with a key of the system's keyring, else in a file that only you can read.",
		Example: "practice login --profile office\n" +
			"practice login --profile office --no-browser   # on a machine without one\n" +
			"practice login --profile nightly --client-credentials --read-only <keys.txt",
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error { return l.run(c) },
	}
	flags := c.Flags()
	flags.StringVar(&l.given.BaseURL, "base-url", "", "address of the service, else PRACTICE_BASE_URL")
	flags.StringVar(&l.given.AuthorizeURL, "authorize-url", "", "address of the sign-in page, else PRACTICE_AUTHORIZE_URL")
	flags.StringVar(&l.given.TokenURL, "token-url", "", "address of the token endpoint, else PRACTICE_TOKEN_URL")
	flags.StringVar(&l.given.ClientID, "client-id", "", "id of the OAuth client, else PRACTICE_CLIENT_ID")
	flags.StringSliceVar(&l.given.Scopes, "scopes", nil, "scopes to ask for, such as matters/read; all without it")
	flags.StringVar(&l.given.AccountID, "account", "", "account, for a client with several")
	flags.StringVar(&l.given.UserID, "user-id", "", "user that requests act for")
	flags.StringVar(&l.redirect, "redirect-url", "", "registered address on this machine to which the browser returns; without it any port")
	flags.BoolVar(&l.client, "client-credentials", false, "sign the program in, and no user")
	flags.BoolVar(&l.noBrowser, "no-browser", false, "print the address; paste the one to which the browser returns")
	flags.BoolVar(&l.noKeyring, "no-keyring", false, "keep the tokens in a file that only you can read")
	flags.BoolVar(&l.given.ReadOnly, "read-only", false, "refuse writes with this profile")
	return c
}

func noArguments(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return misuse{fmt.Errorf("%q is one argument too many", args[0])}
	}
	return nil
}

func (l *login) run(c *cobra.Command) error {
	ctx := c.Context()
	all, err := l.profiles()
	if err != nil {
		return err
	}
	name := cmp.Or(l.profileName(), all.Current, "default")
	if err := checkName(name); err != nil {
		return err
	}
	p, isNew := &profile{Name: name}, true
	if held := all.Profiles[name]; held != nil {
		*p, isNew = *held, false
	}
	l.merge(c, p)
	if err := l.complete(ctx, p); err != nil {
		return err
	}
	k, err := l.askKeys(ctx, p, isNew)
	if err != nil {
		return err
	}
	l.choosePlace(ctx, p)
	firm, err := l.signIn(ctx, p, k)
	if err != nil {
		if isNew {
			err = errors.Join(err, l.forget(context.WithoutCancel(ctx), p))
		}
		return err
	}
	return l.keep(ctx, p, firm)
}

// merge copies the values of flags into a profile.
func (l *login) merge(c *cobra.Command, p *profile) {
	p.BaseURL = cmp.Or(l.given.BaseURL, p.BaseURL)
	p.AuthorizeURL = cmp.Or(l.given.AuthorizeURL, p.AuthorizeURL)
	p.TokenURL = cmp.Or(l.given.TokenURL, p.TokenURL)
	p.ClientID = cmp.Or(l.given.ClientID, p.ClientID)
	p.AccountID = cmp.Or(l.given.AccountID, p.AccountID)
	p.UserID = cmp.Or(l.given.UserID, p.UserID)
	if l.given.Scopes != nil {
		p.Scopes = l.given.Scopes
	}
	if c.Flags().Changed("read-only") {
		p.ReadOnly = l.given.ReadOnly
	}
	switch {
	case l.client:
		p.Grant = grantClient
	case p.Grant == "" || c.Flags().Changed("client-credentials"):
		p.Grant = grantCode
	}
}

// complete sets missing values of a profile from the environment, or from the
// answers of the user.
func (l *login) complete(ctx context.Context, p *profile) error {
	for _, part := range []struct {
		value          *string
		variable, name string
		needed         bool
	}{
		{&p.BaseURL, "PRACTICE_BASE_URL", "Address of the service", true},
		{&p.AuthorizeURL, "PRACTICE_AUTHORIZE_URL", "Address of the sign-in page", p.Grant == grantCode},
		{&p.TokenURL, "PRACTICE_TOKEN_URL", "Address of the token endpoint", true},
		{&p.ClientID, "PRACTICE_CLIENT_ID", "Id of the OAuth client", true},
	} {
		if *part.value = cmp.Or(*part.value, l.variable(part.variable)); *part.value != "" || !part.needed {
			continue
		}
		text, err := l.ask(ctx, part.name+": ", false)
		if err == nil && text == "" {
			err = errNobody
		}
		if err != nil {
			return misuse{fmt.Errorf("%s is missing, set %s: %w", part.name, part.variable, err)}
		}
		*part.value = text
	}
	return nil
}

// askKeys returns the secrets of a profile. It takes each one from the
// environment, otherwise from the stored profile, otherwise from the user.
func (l *login) askKeys(ctx context.Context, p *profile, isNew bool) (k keys, err error) {
	if !isNew {
		if k, err = l.loadKeys(ctx, p); err != nil {
			return k, err
		}
	}
	stored := !k.api.IsZero()
	for _, part := range []struct {
		value          *models.Secret
		variable, name string
		needed         bool
	}{
		{&k.api, "PRACTICE_API_KEY", "API key", true},
		{&k.client, "PRACTICE_CLIENT_SECRET", "Client secret (empty for a public client)", p.Grant == grantClient},
	} {
		if text := l.variable(part.variable); text != "" {
			*part.value = models.NewSecret(text)
		}
		if !part.value.IsZero() || stored && !part.needed {
			continue
		}
		text, err := l.ask(ctx, part.name+": ", true)
		if errors.Is(err, errNobody) && !part.needed {
			err = nil
		}
		if err == nil && text == "" && part.needed {
			err = errNobody
		}
		if err != nil {
			return k, misuse{fmt.Errorf("%s is missing, set %s: %w", part.name, part.variable, err)}
		}
		*part.value = models.NewSecret(text)
	}
	l.hide(k.api, k.client)
	return k, nil
}

// choosePlace chooses where the tokens are stored. If the keyring is not
// usable, it falls back to files.
func (l *login) choosePlace(ctx context.Context, p *profile) {
	p.Keyring = false
	if l.noKeyring {
		return
	}
	if _, err := keyring.Key(keyringService, p.Name)(ctx); err != nil {
		l.note("The keyring of the system cannot be used (%v). The tokens are kept in a file that only you can read.", err)
		return
	}
	p.Keyring = true
}

// signIn gets tokens and requests the firm with them. It stores the tokens only
// if that succeeds. It returns the name of the firm.
func (l *login) signIn(ctx context.Context, p *profile, k keys) (firm string, err error) {
	store, err := l.tokens(p)
	if err != nil {
		return "", err
	}
	if p.Grant == grantCode {
		if err := l.authorize(ctx, p, k, store); err != nil {
			return "", err
		}
	}
	client, err := l.app.client(&target{profile: *p, apiKey: k.api, tokens: auth.Source{Credentials: p.credentials(k.client), Store: store}})
	if err != nil {
		return "", err
	}
	defer client.CloseIdleConnections()
	record, err := client.Firm.Get(ctx)
	if err != nil {
		return "", err
	}
	return record.Name, l.saveKeys(ctx, p, k)
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
			l.say("No browser could be opened (%v): open the address on this machine, or use --no-browser.", err)
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
	l.say("The browser ends at an address that it cannot open, and that begins with %s.", code.RedirectURL)
	text, err := l.ask(ctx, "Paste that address: ", true) // the URL contains a code, so it is not echoed
	if err != nil {
		return misuse{err}
	}
	back, err := url.Parse(text)
	if err != nil {
		return misuse{errors.New("that is no address")}
	}
	_, err = code.Exchange(ctx, begun, back.Query())
	return err
}

// keep stores the profile and makes it the current one.
func (l *login) keep(ctx context.Context, p *profile, firm string) error {
	err := l.change(ctx, func(all *profiles) error {
		all.Profiles[p.Name], all.Current = p, p.Name
		return nil
	})
	if err != nil {
		return err
	}
	l.note("Signed in to %s with profile %s.", firm, p.Name)
	return nil
}

func (a *app) logoutCommand() *cobra.Command {
	return &cobra.Command{
		Use: "logout", Short: "Remove the tokens and secrets of a profile from this machine", Args: noArguments,
		Long: "Removes the tokens and secrets of a profile from this machine; practice login signs in again. The service does not learn of it.",
		RunE: func(c *cobra.Command, _ []string) error {
			all, err := a.profiles()
			if err != nil {
				return err
			}
			p, err := all.named(cmp.Or(a.profileName(), all.Current))
			if err != nil {
				return err
			}
			if err := a.forget(c.Context(), p); err != nil {
				return err
			}
			a.note("Signed out of profile %s.", p.Name)
			return nil
		},
	}
}
