package command

import (
	"context"
	"fmt"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// sandboxTarget returns the embedded service.
func (a *app) sandboxTarget() (*target, error) {
	if err := a.startSandbox(); err != nil {
		return nil, fmt.Errorf("the sandbox: %w", err)
	}
	own := a.server.Credentials()
	return &target{
		profile: profile{Name: "sandbox", BaseURL: a.server.BaseURL()}, where: "sandbox", apiKey: models.NewSecret(own.APIKey), wire: a.server.HTTPClient(),
		tokens: practice.TokenFunc(func(context.Context, string) (string, error) { return own.AccessToken, nil }),
	}, nil
}

func (a *app) startSandbox() (err error) {
	if a.server != nil {
		return nil
	}
	var opts []practicetest.Option
	if a.sandbox != inMemory {
		opts = append(opts, practicetest.WithStateFile(a.sandbox))
	}
	a.server, err = practicetest.Start(opts...)
	return err
}
