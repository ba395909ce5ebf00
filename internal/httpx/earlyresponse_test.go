package httpx

import (
	"context"
	"errors"
	"net/http/httptrace"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOnlyABodyThatCanBeCutOffIsWaitedFor(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		size   int64
		traced bool
	}{
		"no body":           {0, false},
		"a short one":       {shortBody, false},
		"a longer one":      {shortBody + 1, true},
		"of unknown length": {-1, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, test.traced, httptrace.ContextClientTrace(ReadEarlyResponse(t.Context(), test.size)) != nil)
		})
	}
}

func TestAWriteThatFailedWaitsForTheAnswer(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		failure error
		ends    time.Duration // end of the exchange
		took    time.Duration
	}{
		"and nothing comes":           {errors.New("reset"), time.Hour, readTime},
		"and the exchange ends":       {errors.New("reset"), readTime / 2, readTime / 2},
		"unless it has not failed":    {nil, time.Hour, 0},
		"unless the exchange is over": {errors.New("reset"), 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), test.ends)
				defer cancel()
				trace := httptrace.ContextClientTrace(ReadEarlyResponse(ctx, -1))
				require.NotNil(t, trace)
				began := time.Now()
				trace.WroteRequest(httptrace.WroteRequestInfo{Err: test.failure})
				assert.Equal(t, test.took, time.Since(began))
			})
		})
	}
}
