// First prints the trust accounts of a firm. Copy it for a program of your own.
package main

import (
	"context"
	"fmt"
	"log"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	service, err := practicetest.Start() // an embedded service; use your own addresses and keys instead
	if err != nil {
		return err
	}
	defer func() { _ = service.Close() }()
	client, err := practice.NewClient(service.BaseURL(), practice.WithAPIKey(service.Credentials().APIKey), practice.WithTokens(auth.ClientCredentials{
		TokenURL: service.TokenURL(), ClientID: service.Credentials().ClientID, ClientSecret: models.NewSecret(service.Credentials().ClientSecret)}))
	if err != nil {
		return err
	}
	accounts, err := client.BankAccounts.List(ctx, practice.BankAccountListOptions{Type: models.BankAccountTypeTrust})
	if err != nil {
		return err
	}
	for _, account := range accounts.Items {
		_, err = fmt.Println(account.AccountName, account.Balance) // after a write error all further writes fail
	}
	return err
}
