package command

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/internal/sandbox"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// sandboxWait limits the wait for another command that uses the file.
const sandboxWait = time.Minute

// sandboxCommand returns the command that runs practice-sandbox.
func (a *app) sandboxCommand() *cobra.Command {
	return &cobra.Command{
		Use: "sandbox [FLAG]...", Short: "Serve the embedded service to other programs; for the flags, run practice sandbox -h",
		DisableFlagParsing: true,
		RunE: func(c *cobra.Command, args []string) error {
			if code := sandbox.Run(c.Context(), "practice sandbox", args, a.Out, a.Err); code != 0 {
				return statusError(code)
			}
			return nil
		},
	}
}

// sandboxTarget returns the embedded service: a new one in this process, or
// that of the sandbox that already serves the file.
func (a *app) sandboxTarget(ctx context.Context) (*target, error) {
	served, err := a.startSandbox(ctx)
	if err != nil {
		return nil, fmt.Errorf("starting the sandbox: %w", err)
	}
	if served != nil {
		return a.servedTarget(ctx, served)
	}
	own := a.server.Credentials()
	return &target{
		profile: profile{Name: "sandbox", BaseURL: a.server.BaseURL(), ClientID: own.ClientID}, where: "sandbox", apiKey: models.NewSecret(own.APIKey), wire: a.server.HTTPClient(),
		tokens: practice.TokenFunc(func(context.Context, string) (string, error) { return own.AccessToken, nil }),
	}, nil
}

// startSandbox starts a service. If another sandbox serves the file, it returns
// the addresses of that one. If a short-lived command uses the file, it waits
// until that command has ended.
func (a *app) startSandbox(ctx context.Context) (served *practicetest.StateInUseError, err error) {
	var opts []practicetest.Option
	if a.sandbox != inMemory {
		opts = append(opts, practicetest.WithStateFile(a.sandbox))
	}
	ctx, cancel := context.WithTimeoutCause(ctx, sandboxWait, errors.New("timed out waiting for another command that uses the file"))
	defer cancel()
	for tries := 0; ; tries++ {
		a.server, err = practicetest.Start(opts...)
		used, inUse := errors.AsType[*practicetest.StateInUseError](err)
		switch {
		case !inUse:
			return nil, err
		case used.ControlURL != "":
			return used, nil
		}
		if err := backoff.Sleep(ctx, backoff.Exponential(10*time.Millisecond, 200*time.Millisecond, tries)); err != nil {
			return nil, errors.Join(used, context.Cause(ctx))
		}
	}
}

// servedTarget returns the service of another process. It signs in as the
// sandbox's user, who grants everything.
func (a *app) servedTarget(ctx context.Context, served *practicetest.StateInUseError) (*target, error) {
	t := &target{profile: profile{Name: "sandbox", BaseURL: served.BaseURL, ClientID: served.Credentials.ClientID}, where: "sandbox", apiKey: models.NewSecret(served.Credentials.APIKey)}
	if a.dryRun {
		return t, nil
	}
	code := auth.AuthorizationCode{
		AuthURL: served.AuthorizeURL, TokenURL: served.TokenURL, ClientID: served.Credentials.ClientID,
		ClientSecret: models.NewSecret(served.Credentials.ClientSecret),
	}
	user := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	tokens, err := code.Loopback(ctx, func(address string) error {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return err
		}
		page, err := user.Do(request)
		if err != nil {
			return err
		}
		return page.Body.Close()
	})
	t.tokens = tokens
	return t, err
}
