// Package auth obtains access tokens for a client with the OAuth 2.0 grants
// that the service offers, and signs users in:
//
//	client, err := practice.NewClient(baseURL,
//		practice.WithAPIKey(apiKey),
//		practice.WithTokens(auth.ClientCredentials{
//			TokenURL: tokenURL, ClientID: clientID, ClientSecret: models.NewSecret(clientSecret),
//		}))
//
// [ClientCredentials] are for a program that acts for itself. For a user,
// [AuthorizationCode] signs in and returns [RefreshCredentials]. [Source] adds
// options for the tokens: a [TokenStore], such as a [TokenFile], keeps them
// between runs and for several processes. [FromOAuth2] takes any token source
// of golang.org/x/oauth2.
//
// All of them renew a token a minute before it expires, once for all
// goroutines, and once more after a 401. A renewal continues up to its own
// limit of 30 seconds, even if the call that began it has ended. After a
// failure, the next token request waits for a second, and after further
// failures longer, up to 30 seconds. Failures are of type *[TokenError].
package auth
