package auth

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/practicesdk/practice-go/models"
)

// Tokens holds the content of a TokenStore. The zero value is an empty store.
type Tokens struct {
	Owner        string        // grant type, token endpoint and client that the tokens belong to
	AccessToken  models.Secret // zero if there is none
	Expiry       time.Time     // expiry of AccessToken; zero if unknown
	RefreshToken models.Secret // zero for client credentials
}

// TokenStore stores the tokens of one client or one user between runs and for
// several processes; see [Source]. [TokenFile] implements it. Its methods may
// be called concurrently.
type TokenStore interface {
	// Lock locks the store across the processes that share it. It waits
	// until ctx ends. The holder calls unlock once.
	Lock(ctx context.Context) (unlock func(), err error)
	// Load returns the tokens, or zero Tokens if the store is empty. It is
	// called with and without the lock, and must not return a mix of two
	// states.
	Load(ctx context.Context) (Tokens, error)
	// Save replaces the tokens. It is called with the lock. If it returns
	// nil, the tokens survive the end of the process.
	Save(ctx context.Context, tokens Tokens) error
}

// Reveal returns the tokens as text for a store of your own. The text contains
// the secrets.
func (t Tokens) Reveal() string {
	members := map[string]string{"owner": t.Owner, "accessToken": t.AccessToken.Reveal(), "refreshToken": t.RefreshToken.Reveal()}
	if !t.Expiry.IsZero() {
		members["expiry"] = t.Expiry.Format(time.RFC3339Nano)
	}
	text, _ := json.Marshal(members) // strings can always be marshalled
	return string(text)
}

// ParseTokens parses the text that Reveal returned, even in another version of
// this package: it ignores members that it does not know. It returns the zero
// Tokens for an empty text. Its errors do not contain any part of the text.
func ParseTokens(text string) (Tokens, error) {
	var members struct {
		Owner, Expiry             string
		AccessToken, RefreshToken models.Secret
	}
	if text == "" {
		return Tokens{}, nil
	}
	err := json.Unmarshal([]byte(text), &members)
	t := Tokens{Owner: members.Owner, AccessToken: members.AccessToken, RefreshToken: members.RefreshToken}
	if err == nil && members.Expiry != "" {
		t.Expiry, err = time.Parse(time.RFC3339Nano, members.Expiry)
	}
	if err != nil {
		return Tokens{}, errors.New("the text does not contain stored tokens")
	}
	return t, nil
}

func (t Tokens) equal(other Tokens) bool {
	return t.Owner == other.Owner && t.AccessToken.Equal(other.AccessToken) && t.RefreshToken.Equal(other.RefreshToken)
}

func (t Tokens) empty() bool { return t.AccessToken.IsZero() && t.RefreshToken.IsZero() }

func (t Tokens) secrets() []string { return []string{t.AccessToken.Reveal(), t.RefreshToken.Reveal()} }
