package practice_test

import (
	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// startService starts the service that the examples call. In a test of your own,
// practicetest.New and its Client do this and the next in two lines.
func startService(opts ...practicetest.Option) *practicetest.Server {
	server, err := practicetest.Start(append([]practicetest.Option{practicetest.WithStrict(true)}, opts...)...)
	if err != nil {
		panic(err)
	}
	return server
}

// stopService ends the service. An example that sends what the interface does not
// allow must not be copied.
func stopService(server *practicetest.Server) {
	if found := server.Violations(); len(found) > 0 {
		panic(found)
	}
	if err := server.Close(); err != nil {
		panic(err)
	}
}

// clientOf makes a client with client credentials.
func clientOf(server *practicetest.Server, opts ...practice.ClientOption) *practice.Client {
	c := server.Credentials()
	client, err := practice.NewClient(server.BaseURL(), append([]practice.ClientOption{
		practice.WithHTTPClient(server.HTTPClient()),
		practice.WithAPIKey(c.APIKey),
		practice.WithClientCredentials(practice.ClientCredentials{
			TokenURL: server.TokenURL(), ClientID: c.ClientID, ClientSecret: models.NewSecret(c.ClientSecret),
		}),
	}, opts...)...)
	if err != nil {
		panic(err)
	}
	return client
}
