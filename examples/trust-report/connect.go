package main

import (
	"os"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// connect returns a client for the service in the environment variables.
// Without PRACTICE_BASE_URL it starts the embedded service, which ends with the
// program, and returns it as well.
func connect(options ...practicetest.Option) (*practice.Client, *practicetest.Server, error) {
	if os.Getenv("PRACTICE_BASE_URL") == "" {
		demo, err := practicetest.Start(options...)
		if err != nil {
			return nil, nil, err
		}
		client, err := demo.NewClient()
		return client, demo, err
	}
	access := practice.WithAccessToken(os.Getenv("PRACTICE_ACCESS_TOKEN")) // not renewed
	if secret := os.Getenv("PRACTICE_CLIENT_SECRET"); secret != "" {
		access = practice.WithTokens(auth.ClientCredentials{
			TokenURL: os.Getenv("PRACTICE_TOKEN_URL"), ClientID: os.Getenv("PRACTICE_CLIENT_ID"), ClientSecret: models.NewSecret(secret),
		})
	}
	client, err := practice.NewClient(os.Getenv("PRACTICE_BASE_URL"), practice.WithAPIKey(os.Getenv("PRACTICE_API_KEY")), access)
	return client, nil, err
}
