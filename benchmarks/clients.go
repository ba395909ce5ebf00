package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/benchmarks/internal/peers/ogen"
	"github.com/practicesdk/practice-go/benchmarks/internal/peers/plain"
	"github.com/practicesdk/practice-go/models"
)

// endpoint holds the addresses of the service and the transport to it.
type endpoint struct {
	base, token string
	transport   func() http.RoundTripper // called once for each client
	staffID     string
}

// client reads one staff member with a library. It returns the id, or "" if
// there is neither a record nor an error.
type client struct {
	name string
	get  func(context.Context) (id string, err error)
}

const (
	netHTTP     = "net/http, encoding/json"
	apiKey      = "key"
	accessToken = "eyJhbGciOiJSUzI1NiJ9.bench.bench"
	timeLimit   = 30 * time.Second
)

// clients returns the client of this library and those of all peers, each with
// a time limit and credentials. Only this library also renews tokens, retries,
// limits both attempts and calls, and sends and compares a RequestId.
func clients(e endpoint) ([]client, error) {
	all := []client{}
	for _, build := range []func(endpoint) (client, error){
		practiceClient, plainClient, ogenClient,
	} {
		c, err := build(e)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// everything returns a client of this library with every feature enabled except
// the limiter.
func everything(e endpoint, opts ...practice.ClientOption) (*practice.Client, error) {
	return practice.NewClient(e.base, append([]practice.ClientOption{
		practice.WithHTTPClient(&http.Client{Transport: e.transport()}),
		practice.WithAPIKey(apiKey),
		practice.WithTokens(auth.ClientCredentials{
			TokenURL: e.token, ClientID: "client", ClientSecret: models.NewSecret("secret"),
		}),
		practice.WithLogger(slog.New(slog.DiscardHandler)),
		practice.WithObserver(func(context.Context, practice.Observation) {}),
	}, opts...)...)
}

func practiceClient(e endpoint) (client, error) {
	c, err := everything(e)
	return client{ours, func(ctx context.Context) (string, error) {
		member, err := c.Staff.Get(ctx, e.staffID)
		if err != nil {
			return "", err
		}
		return member.ID, nil
	}}, err
}

func plainClient(e endpoint) (client, error) {
	c := &http.Client{Transport: e.transport(), Timeout: timeLimit}
	return client{netHTTP, func(ctx context.Context) (string, error) {
		var member plain.Staff
		err := plainGet(ctx, c, e.base+"/staff/"+url.PathEscape(e.staffID), &member)
		return member.ID, err
	}}, nil
}

// plainGet reads a record as a program with only net/http does.
func plainGet(ctx context.Context, c *http.Client, address string, out any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return err
	}
	credentials(req.Header)
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }() // the body is only read, so Close loses no data
	if resp.StatusCode != http.StatusOK {
		return statusError(resp.StatusCode)
	}
	return json.NewDecoder(resp.Body).Decode(out)
}

func credentials(header http.Header) {
	header.Set("Accept", "application/json")
	header.Set("X-Api-Key", apiKey)
	header.Set("Authorization", "Bearer "+accessToken)
}

type statusError int

func (e statusError) Error() string { return fmt.Sprintf("status %d", int(e)) }

func ogenClient(e endpoint) (client, error) {
	c, err := newOgen(e)
	return client{"ogen", func(ctx context.Context) (string, error) {
		member, err := c.GetStaff(ctx, ogen.GetStaffParams{ID: e.staffID})
		if err != nil {
			return "", err
		}
		return member.ID.String(), nil
	}}, err
}

func newOgen(e endpoint) (*ogen.Client, error) {
	return ogen.NewClient(e.base, ogen.WithClient(withCredentials{&http.Client{Transport: e.transport(), Timeout: timeLimit}}))
}

// withCredentials adds the credentials to each request.
type withCredentials struct{ *http.Client }

func (c withCredentials) Do(req *http.Request) (*http.Response, error) {
	credentials(req.Header)
	return c.Client.Do(req) //nolint:gosec // the address is that of the embedded service
}
