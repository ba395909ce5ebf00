package practicetest

// Credentials are what an integration is given: enough for every grant, and a
// valid access token for tests that need no grant at all.
type Credentials struct {
	// ClientID names the client; it is also part of webhook signatures.
	ClientID string
	// ClientSecret is the client's secret for the token endpoint.
	ClientSecret string
	// APIKey is the value of the x-api-key header.
	APIKey string
	// UserID is an enabled user of the firm, for the UserId header.
	UserID string
	// AccountID is the firm's account, the path prefix of multi-account clients.
	AccountID string
	// AccessToken is a bearer token of the authorization code grant.
	AccessToken string
	// RefreshToken renews AccessToken.
	RefreshToken string
}

// SystemAccountID is the account of system subscriptions: they take system
// event types only, and need the client credentials grant.
// Specification, Authentication 7.
const SystemAccountID = "00000000-0000-0000-0000-000000000000"
