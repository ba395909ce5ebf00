package storage

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const idle = 10 * time.Second

func TestAnExchangeThatStallsEnds(t *testing.T) {
	t.Parallel()
	untilTheEnd := func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	}
	for _, test := range []struct {
		name  string
		after time.Duration
		move  func(t *testing.T, client *Client, to Target) error
		serve roundTripper
	}{
		{"no answer to an upload", idle, put("content"), func(req *http.Request) (*http.Response, error) {
			_, _ = io.Copy(io.Discard, req.Body)
			return nil, untilTheEnd(req.Context())
		}},
		{"nobody takes the bytes", 3*time.Second + idle, put("content"), func(req *http.Request) (*http.Response, error) {
			_, _ = io.CopyN(io.Discard, req.Body, 3)
			wait(3 * time.Second)
			_, _ = io.CopyN(io.Discard, req.Body, 1)
			return nil, untilTheEnd(req.Context())
		}},
		{"no answer to an empty upload", idle, put(""), func(req *http.Request) (*http.Response, error) {
			return nil, untilTheEnd(req.Context())
		}},
		{"no answer to a download", idle, get, func(req *http.Request) (*http.Response, error) {
			return nil, untilTheEnd(req.Context())
		}},
		{"no bytes", 25*time.Second + idle, get, func(req *http.Request) (*http.Response, error) {
			return answer(&scripted{ctx: req.Context(), pauses: []time.Duration{9 * time.Second, 9 * time.Second, 7 * time.Second}}), nil
		}},
		{"an error without an end", idle, get, func(req *http.Request) (*http.Response, error) {
			resp := answer(&scripted{ctx: req.Context()})
			resp.StatusCode = 500
			return resp, nil
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client := New(Config{Allowed: anywhere, Transport: test.serve})
				started := time.Now()
				err := test.move(t, client, Target{Address: "https://storage.example.test/a", Idle: idle})
				if test.name != "an error without an end" { // the status is specific enough
					require.ErrorIs(t, err, ErrStalled)
				}
				require.Error(t, err)
				assert.Equal(t, test.after, time.Since(started))
			})
		})
	}
}

func TestTheTimeOfTheCallerDoesNotCount(t *testing.T) {
	t.Parallel()
	t.Run("a slow source", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			client := New(Config{Allowed: anywhere, Transport: roundTripper(func(req *http.Request) (*http.Response, error) {
				_, err := io.Copy(io.Discard, req.Body)
				return answer(io.NopCloser(strings.NewReader(""))), err
			})})
			source := &scripted{ctx: t.Context(), pauses: []time.Duration{time.Hour, time.Hour}, ends: true}
			require.NoError(t, putting(client.Put(t.Context(), Target{Address: "https://storage.example.test/a", Idle: idle}, source, 2)))
		})
	})
	t.Run("a slow reader", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			client := New(Config{Allowed: anywhere, Transport: roundTripper(func(req *http.Request) (*http.Response, error) {
				return answer(&scripted{ctx: req.Context(), pauses: []time.Duration{0, 0, 0}, ends: true}), nil
			})})
			object, err := client.Get(t.Context(), Target{Address: "https://storage.example.test/a", Idle: idle}, Part{})
			require.NoError(t, err)
			for range 3 {
				wait(time.Hour)
				_, err := object.Body.Read(make([]byte, 1))
				require.NoError(t, err)
			}
			_, err = object.Body.Read(make([]byte, 1))
			require.ErrorIs(t, err, io.EOF)
			require.NoError(t, object.Body.Close())
		})
	})
	t.Run("no limit", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			client := New(Config{Allowed: anywhere, Transport: roundTripper(func(req *http.Request) (*http.Response, error) {
				return answer(&scripted{ctx: req.Context(), pauses: []time.Duration{24 * time.Hour}, ends: true}), nil
			})})
			require.NoError(t, get(t, client, Target{Address: "https://storage.example.test/a"}))
		})
	})
}

func TestTheEndOfTheContextIsNotAStall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		client := New(Config{Allowed: anywhere, Transport: roundTripper(func(req *http.Request) (*http.Response, error) {
			return answer(&scripted{ctx: req.Context()}), nil
		})})
		object, err := client.Get(ctx, Target{Address: "https://storage.example.test/a", Idle: idle}, Part{})
		require.NoError(t, err)
		_, err = object.Body.Read(make([]byte, 1))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NotErrorIs(t, err, ErrStalled)
		require.NoError(t, object.Body.Close())
	})
}

func put(content string) func(*testing.T, *Client, Target) error {
	return func(t *testing.T, client *Client, to Target) error {
		return putting(client.Put(t.Context(), to, strings.NewReader(content), int64(len(content))))
	}
}

func get(t *testing.T, client *Client, from Target) error {
	object, err := client.Get(t.Context(), from, Part{})
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, object.Body)
	return errors.Join(err, object.Body.Close())
}

// scripted returns a byte after each pause and then no more.
type scripted struct {
	ctx    context.Context
	pauses []time.Duration
	ends   bool // return EOF instead of waiting for the context
}

func (s *scripted) Read(p []byte) (int, error) {
	if len(s.pauses) == 0 {
		if s.ends {
			return 0, io.EOF
		}
		<-s.ctx.Done()
		return 0, s.ctx.Err()
	}
	wait(s.pauses[0])
	s.pauses = s.pauses[1:]
	return copy(p, "x"), nil
}

func (s *scripted) Close() error { return nil }

// wait advances the clock of the bubble.
func wait(d time.Duration) { <-time.After(d) }

func answer(body io.ReadCloser) *http.Response {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: body, ContentLength: -1}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }
