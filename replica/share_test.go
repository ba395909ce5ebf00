package replica

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/practicetest"
)

// A copy waits with one request at a time, and a limit serves those that wait in
// order. So the copy leaves half of the rate to others that call without a
// pause, and alone it uses all of it.
func TestACopyLeavesHalfOfTheRateToOthers(t *testing.T) {
	t.Parallel()
	const perSecond = 5
	for name, others := range map[string]int{"alone": 0, "beside one that calls": 1, "beside three": 3} {
		synctest.Test(t, func(t *testing.T) {
			server := practicetest.New(t, append(small, practicetest.WithRequestLog(10_000))...)
			client := server.Client(t, practice.WithRateLimit(perSecond, 1))
			c := copyOf(t, client, Options{})
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			var calling sync.WaitGroup
			for range others {
				calling.Go(func() {
					for ctx.Err() == nil {
						_, err := client.Groups.List(ctx, practice.GroupListOptions{})
						assert.True(t, err == nil || errors.Is(err, context.Canceled), err)
					}
				})
			}
			began := time.Now()
			require.NoError(t, c.Sync(t.Context()))
			took := time.Since(began)
			stop()
			calling.Wait()
			own, all := 0, 0
			for _, request := range server.Requests() {
				if all++; request.Operation != "listGroups" {
					own++
				}
			}
			require.Greater(t, own, 20, name)
			if others == 0 {
				assert.LessOrEqual(t, took.Seconds(), 1.05*float64(own)/perSecond, name)
			} else {
				assert.LessOrEqual(t, own, all/(1+others)+2, "%s: %d of %d", name, own, all)
			}
		})
	}
}
