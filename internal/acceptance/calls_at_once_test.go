package acceptance_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/practicetest"
)

// TestThousandsOfConcurrentCalls sends ten thousand concurrent calls through
// one client. Afterwards no goroutine is left and no connection is in use.
func TestThousandsOfConcurrentCalls(t *testing.T) {
	before := goleak.IgnoreCurrent()
	t.Run("calls", func(t *testing.T) {
		server := practicetest.New(t, practicetest.WithEvents(0), practicetest.WithMatters(1), practicetest.WithRequestLog(0))
		client := server.Client(t, testkit.ClientCredentials(server), practice.WithTimeout(5*time.Minute), practice.WithAttemptTimeout(0))
		calls := soak.Times(2000, 10_000)
		start := make(chan struct{})
		var running sync.WaitGroup
		failed := make(chan error, calls)
		for range calls {
			running.Go(func() {
				<-start
				if err := testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID)); err != nil {
					failed <- err
				}
			})
		}
		close(start)
		running.Wait()
		close(failed)
		for err := range failed {
			require.NoError(t, err)
		}
	})
	assert.NoError(t, goleak.Find(before))
}
