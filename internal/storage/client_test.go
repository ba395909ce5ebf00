package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var someDay = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func anywhere(*url.URL) error { return nil }

func serve(t *testing.T, handler http.HandlerFunc) (client *Client, address string) {
	t.Helper()
	server := httptest.NewServer(handler)
	client = New(Config{Transport: server.Client().Transport, Allowed: anywhere})
	t.Cleanup(func() {
		client.CloseIdleConnections()
		server.Close()
	})
	return client, server.URL
}

const signed = "/bucket/uploads/ab%3D?AccessKeyId=AAAA&Expires=1790000000&x-security-token=IQo%2F%2Fw%3D%3D&Signature=sQ%2BUez%2Fy1%3D"

func TestPutSendsLengthAndNothingElse(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{"some bytes": "content", "no byte at all": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var seen *http.Request
			var got []byte
			client, address := serve(t, func(_ http.ResponseWriter, r *http.Request) {
				seen = r
				got, _ = io.ReadAll(r.Body)
			})
			require.NoError(t, putting(client.Put(t.Context(), Target{Address: address + signed}, strings.NewReader(content), int64(len(content)))))
			assert.Equal(t, content, string(got))
			assert.Equal(t, signed, seen.RequestURI, "byte for byte")
			assert.EqualValues(t, len(content), seen.ContentLength)
			assert.Empty(t, seen.TransferEncoding)
			seen.Header.Del("Content-Length")
			assert.Empty(t, seen.Header, "no header beyond Host and Content-Length")
		})
	}
}

func TestGetSendsNoHeaderAndTakesBytesAsTheyAre(t *testing.T) {
	t.Parallel()
	var seen http.Header
	client, address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = io.WriteString(w, "stored bytes")
	})
	object, err := client.Get(t.Context(), Target{Address: address + signed}, Part{})
	require.NoError(t, err)
	data, err := io.ReadAll(object.Body)
	require.NoError(t, err)
	require.NoError(t, object.Body.Close())
	assert.Equal(t, "stored bytes", string(data), "not decompressed on the way")
	assert.EqualValues(t, len(data), object.Length)
	assert.Equal(t, object.Length, object.Size)
	assert.Empty(t, seen)
}

// TestExchangesHaveConnectionsOfTheirOwn checks that HTTP/2 is not used, even
// if a server offers it, because all exchanges would share one connection.
func TestExchangesHaveConnectionsOfTheirOwn(t *testing.T) {
	t.Parallel()
	for name, used := range map[string]bool{"a transport that is new": false, "a transport that has been used": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const together = 3
			var arrived sync.WaitGroup
			arrived.Add(together)
			var mu sync.Mutex
			connections := map[string]int{}
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/first" {
					return
				}
				mu.Lock()
				connections[r.Proto+" "+r.RemoteAddr]++
				mu.Unlock()
				arrived.Done()
				arrived.Wait()
			}))
			server.EnableHTTP2 = true
			server.StartTLS()
			callers := server.Client()
			if used {
				resp, err := callers.Get(server.URL + "/first")
				require.NoError(t, err)
				require.NoError(t, resp.Body.Close())
				assert.Equal(t, 2, resp.ProtoMajor)
			}
			client := New(Config{Transport: callers.Transport, Allowed: anywhere})
			t.Cleanup(func() {
				client.CloseIdleConnections()
				server.Close()
			})
			var reading sync.WaitGroup
			for range together {
				reading.Go(func() {
					object, err := client.Get(t.Context(), Target{Address: server.URL + signed}, Part{})
					if assert.NoError(t, err) {
						assert.NoError(t, object.Body.Close())
					}
				})
			}
			reading.Wait()
			assert.Len(t, connections, together)
			for connection := range connections {
				assert.Contains(t, connection, "HTTP/1.1 ")
			}
		})
	}
}

func TestARefusalCarriesStatusAndCode(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, body, code string
		status           int
	}{
		{"with an XML body", "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>", "AccessDenied", 403},
		{"with another body", "{}", "", 500},
		{"with an endless body", strings.Repeat("x", 1<<20), "", 503},
		{"a redirect is not followed", "", "", 307},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			calls := 0
			client, address := serve(t, func(w http.ResponseWriter, r *http.Request) {
				calls++
				_, _ = io.Copy(io.Discard, r.Body)
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(test.status)
				_, _ = io.WriteString(w, test.body)
			})
			_, err := client.Put(t.Context(), Target{Address: address + signed}, strings.NewReader("x"), 1)
			refused, ok := errors.AsType[*StatusError](err)
			require.True(t, ok, "%v", err)
			assert.Equal(t, test.status, refused.Status)
			assert.Equal(t, test.code, refused.Code)
			assert.Equal(t, 1, calls)
			assert.NotContains(t, err.Error(), "Signature")
		})
	}
}

func TestAddressesThatCannotBeSentAsTheyAre(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		address string
		refused error
	}{
		{"", ErrAddress},
		{"/relative", ErrAddress},
		{"https://:443/a", ErrAddress},
		{"ftp://storage.example.test/a", ErrAddress},
		{"https://user:pw@storage.example.test/a", ErrAddress},
		{"https://storage.example.test/a#part", ErrAddress},
		{"https://storage.example.test/%zz", ErrAddress},
		{"HTTPS://storage.example.test/a", ErrAddress},
		{"https://storage.example.test/a b", ErrAddress},
		{"https://storage.example.test/ä", ErrAddress},
		{"https://storage.example.test?x=1", ErrAddress},
	} {
		t.Run(test.address, func(t *testing.T) {
			t.Parallel()
			client := New(Config{Transport: http.DefaultTransport, Allowed: anywhere})
			_, err := client.Get(t.Context(), Target{Address: test.address}, Part{})
			require.ErrorIs(t, err, test.refused)
		})
	}
}

func TestAnAddressThatIsNotAllowedIsNotUsed(t *testing.T) {
	t.Parallel()
	refusal := errors.New("not allowed")
	client := New(Config{Transport: http.DefaultTransport, Allowed: func(*url.URL) error { return refusal }})
	require.ErrorIs(t, putting(client.Put(t.Context(), Target{Address: "https://storage.example.test/a"}, strings.NewReader(""), 0)), refusal)
}

func TestFailuresDoNotRepeatTheAddress(t *testing.T) {
	t.Parallel()
	client, address := serve(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	_, err := client.Get(t.Context(), Target{Address: address + signed}, Part{})
	require.Error(t, err)
	assert.NotContains(t, err.Error(), "Signature")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = client.Get(ctx, Target{Address: address + signed}, Part{})
	require.ErrorIs(t, err, context.Canceled)
	assert.NotContains(t, err.Error(), "Signature")
}

// TestATransportDoesNotRepeatTheAddressEither checks errors of a transport that
// uses an http.Client, which adds the address to them.
func TestATransportDoesNotRepeatTheAddressEither(t *testing.T) {
	t.Parallel()
	lost := errors.New("the line dropped")
	client := New(Config{Allowed: anywhere, Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
		return nil, fmt.Errorf("recorded: %w", &url.Error{Op: "Get", URL: r.URL.String(), Err: lost})
	})})
	_, err := client.Get(t.Context(), Target{Address: "https://storage.example.test" + signed}, Part{})
	require.ErrorIs(t, err, lost)
	assert.NotContains(t, err.Error(), "Signature")
	_, err = client.Put(t.Context(), Target{Address: "https://storage.example.test" + signed}, strings.NewReader(""), 0)
	require.ErrorIs(t, err, lost)
	assert.NotContains(t, err.Error(), "Signature")
}

func FuzzAddressesGoOutByteForByte(f *testing.F) {
	f.Add("https://storage.example.test" + signed)
	f.Add("https://storage.example.test/a?b=%zz&c")
	f.Add("http://[::1]:9000/x;y?")
	f.Fuzz(func(t *testing.T, address string) {
		u, err := parse(address)
		if err != nil {
			return
		}
		assert.Equal(t, address, u.Scheme+"://"+u.Host+u.RequestURI())
		assert.Nil(t, u.User)
	})
}
