// Package auth obtains access tokens for a client with the OAuth 2.0 grants
// that the service offers, and signs users in:
//
//	client, err := practice.NewClient(baseURL,
//		practice.WithAPIKey(apiKey),
//		practice.WithTokens(auth.ClientCredentials{
//			TokenURL: tokenURL, ClientID: clientID, ClientSecret: models.NewSecret(clientSecret),
//		}))
//
// Use [ClientCredentials] for a program that acts for itself. For a program
// that acts for a user, use [AuthorizationCode], which signs the user in and
// returns [RefreshCredentials]. [Source] adds options, such as a [TokenStore],
// which keeps the tokens between runs and for several processes; a [TokenFile]
// is a TokenStore. [FromOAuth2] accepts any token source of
// golang.org/x/oauth2.
//
// All of these types renew a token a minute before it expires, once for all
// goroutines, and renew it once more after a 401. A renewal continues for up to
// 30 seconds, even if the call that began it has ended. After a failure, the
// next token request waits for a second; after further failures, it waits
// longer, up to 30 seconds. Failures are of type *[TokenError].
package auth
