package auth

import (
	"context"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

// Source is a practice.TokenSource that consists of credentials and options for
// their tokens. Credentials without options are also a source.
type Source struct {
	Credentials Credentials
	// Store keeps the tokens of ClientCredentials or RefreshCredentials,
	// including the access token, so that a program that starts often does not
	// request one each time. All clients and processes with the same store
	// share its tokens: one of them renews a token, and the others load the
	// saved one. The refresh token of RefreshCredentials is used while the
	// store has none, and may be zero. After the user has signed in again (see
	// [AuthorizationCode]), running clients continue with the new tokens. If
	// Store fails, calls that need a token fail with a *TokenError that wraps a
	// *TokenStoreError, and no refresh token is lost. Without a Store, the
	// tokens last only as long as the client.
	Store TokenStore
	// GrantStore is called for every new grant before the client uses its
	// access token, one at a time and in the order of the grants. If it fails,
	// the calls that wait for the token fail with a *TokenError that wraps a
	// *GrantStoreError, and the same grant is stored before the token is used.
	// Its context ends with the time limit of the renewal, 30 seconds after its
	// start. It must not use the client. Nil means that grants are not stored;
	// it must be nil if Store is set.
	GrantStore func(ctx context.Context, grant Grant) error
	// GrantHook is called after every new grant: the first access token of the
	// client, and every new refresh token. It is called for one grant at a time
	// and in the order of the grants, when the token can already be used and no
	// lock is held, so it may use the client. The service drops webhook
	// subscriptions with an expired refresh token, so check them in the hook.
	// Nil means no hook.
	GrantHook func(Grant)
}

// Grant describes a new grant by the token endpoint.
type Grant struct {
	First bool // whether it is the first access token of this client
	// RefreshToken is the refresh token that is valid from now on, or zero if
	// there is none. Store it before you discard the old one.
	RefreshToken models.Secret
}

// Bind returns the access tokens for one client.
func (s Source) Bind(client practice.TokenClient) (practice.AccessTokens, error) {
	if s.Credentials == nil {
		return practice.AccessTokens{}, sourceError("requires credentials")
	}
	credentials := s.Credentials.value()
	_, ofClient := credentials.(ClientCredentials)
	if s.Store != nil {
		if err := s.checkStore(); err != nil {
			return practice.AccessTokens{}, err
		}
		credentials = &storedSource{Credentials: credentials, store: s.Store}
	}
	if err := credentials.check(client.InsecureHTTP); err != nil {
		return practice.AccessTokens{}, err
	}
	cache := &tokenCache{source: credentials, client: client.HTTPClient, renewed: client.Renewed, store: s.GrantStore, onGrant: s.GrantHook}
	return practice.AccessTokens{Token: cache.Token, Secrets: cache.secrets, Replaced: cache.tried, OfClient: ofClient}, nil
}

func (s Source) checkStore() error {
	switch file, is := s.Store.(TokenFile); {
	case is && file.Path == "":
		return sourceError("requires a TokenFile with a Path")
	case s.Credentials.owner() == "":
		return sourceError("requires RefreshCredentials or ClientCredentials when Store is set")
	case s.GrantStore != nil:
		return sourceError("must not have both a Store and a GrantStore, because the Store already stores the grants")
	}
	return nil
}

func sourceError(reason string) error {
	return &practice.ConfigError{Setting: "auth.Source", Reason: reason}
}
