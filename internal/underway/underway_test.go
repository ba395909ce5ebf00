package underway_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/internal/underway"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestAWaitLastsUntilNothingIsUnderWay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var count underway.Count
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		require.NoError(t, count.Wait(ended), "nothing is under way")
		began := time.Now()
		for n := range 3 {
			count.Begin()
			time.AfterFunc(time.Duration(n+1)*time.Second, count.End)
		}
		require.ErrorIs(t, count.Wait(ended), context.Canceled)
		var all sync.WaitGroup
		for range 2 {
			all.Go(func() {
				assert.NoError(t, count.Wait(t.Context()))
				assert.Equal(t, 3*time.Second, time.Since(began))
			})
		}
		all.Wait()
	})
}
