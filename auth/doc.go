// Package auth obtains the access tokens of a client, by the grants of OAuth
// 2.0 that the service offers, and signs users in:
//
//	client, err := practice.NewClient(baseURL,
//		practice.WithAPIKey(apiKey),
//		practice.WithTokens(auth.ClientCredentials{
//			TokenURL: tokenURL, ClientID: clientID, ClientSecret: models.NewSecret(clientSecret),
//		}))
//
// [ClientCredentials] are those of a program that works for itself. For a user,
// [AuthorizationCode] signs in, and the [RefreshCredentials] that it returns go
// on from there. [Source] adds what happens to their tokens: a [TokenStore]
// keeps them between runs and for several processes, such as a [TokenFile].
// [FromOAuth2] takes any source of golang.org/x/oauth2.
//
// All of them renew a token a minute before it expires, once for all
// goroutines, and once more when the service answers with 401. A renewal runs
// to its own limit of 30 seconds, although the call that began it may have
// ended. After a failure the token endpoint is not asked for a second, then for
// longer, up to 30 seconds. Failures are of type *[TokenError].
package auth
