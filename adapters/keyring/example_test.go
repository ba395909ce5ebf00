package keyring_test

import (
	"context"
	"errors"
	"log"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/adapters/keyring"
	"github.com/practicesdk/practice-go/auth"
)

// The token file of a desktop program: it is encrypted, and its key is in the
// keyring of the user.
func ExampleTokenFile() {
	file := keyring.TokenFile("/home/avery/.config/ledger-sync/tokens.json", "ledger-sync", "avery")
	client, err := practice.NewClient("https://api.example.test/v1",
		practice.WithAPIKey("key"),
		practice.WithTokens(auth.Source{
			Credentials: auth.RefreshCredentials{TokenURL: "https://login.example.test/token", ClientID: "ledger-sync"},
			Store:       file,
		}))
	if err != nil {
		log.Fatal(err)
	}
	defer client.CloseIdleConnections()
}

// The key of another file, and a keyring entry that is not a key.
func ExampleKey() {
	key, err := keyring.Key("ledger-sync", "avery")(context.Background())
	if errors.Is(err, keyring.ErrKey) {
		log.Fatal("another program uses this entry of the keyring")
	}
	if err != nil {
		log.Fatal(err)
	}
	_ = auth.TokenFile{
		Path: "/home/avery/.config/ledger-sync/tokens.json",
		Key:  func(context.Context) ([]byte, error) { return key, nil },
	}
}
