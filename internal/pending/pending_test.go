package pending_test

import (
	"context"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/internal/pending"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var letters = pending.Key{Place: "m1/", Name: "Letters"}

func TestWhatIsRemembered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var c pending.Creates
		begun := time.Now()
		since := func(key pending.Key) []pending.Create { return c.Of(key, begun.Add(-time.Second)) }
		accepted, lost, refused := c.Begin(letters), c.Begin(letters), c.Begin(letters)
		assert.Len(t, since(letters), 3, "before any answer")
		assert.Empty(t, since(pending.Key{Place: "m2/", Name: "Letters"}))
		assert.Empty(t, since(pending.Key{Place: "m1/", Name: "letters"}))

		<-time.After(time.Minute)
		c.Refused(refused)
		c.Answered(accepted, "F1")
		c.Answered(lost, "")
		at := time.Now()
		assert.Equal(t, []pending.Create{{Key: letters, ID: "F1", At: at}, {Key: letters, At: at}}, since(letters))
		assert.Len(t, c.Of(letters, begun), 2, "they count from their answers on")
		assert.Empty(t, c.Of(letters, at))
		assert.Len(t, c.Made("f1", begun), 1, "in either case")
		assert.Empty(t, c.Made("", begun), "an id that is not known is none")

		c.Forget("f1")
		assert.Equal(t, []pending.Create{{Key: letters, At: at}}, since(letters))
		c.Forget("")
		assert.Len(t, since(letters), 1)
	})
}

func TestTheMemoryIsBounded(t *testing.T) {
	t.Parallel()
	var c pending.Creates
	first := c.Begin(letters)
	for i := range 3 * pending.Remembered {
		c.Begin(pending.Key{Place: "m1/", Name: strconv.Itoa(i)})
	}
	c.Answered(first, "F1") // no longer recorded
	assert.Empty(t, c.Of(letters, time.Time{}))
	remembered := 0
	for i := range 3 * pending.Remembered {
		remembered += len(c.Of(pending.Key{Place: "m1/", Name: strconv.Itoa(i)}, time.Time{}))
	}
	assert.Equal(t, pending.Remembered, remembered)
}

func TestOneHasTheTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var c pending.Creates
		var all sync.WaitGroup
		inside := 0
		for range 20 {
			all.Go(func() {
				leave, err := c.Turn(t.Context(), letters)
				assert.NoError(t, err)
				inside++
				assert.Equal(t, 1, inside)
				<-time.After(time.Second)
				inside--
				leave()
			})
		}
		all.Wait()

		leave, err := c.Turn(t.Context(), letters)
		require.NoError(t, err)
		other, err := c.Turn(t.Context(), pending.Key{Place: "m2/", Name: "Letters"})
		require.NoError(t, err, "another key has a turn of its own")
		other()
		late, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err = c.Turn(late, letters)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		leave()
		again, err := c.Turn(t.Context(), letters)
		require.NoError(t, err, "who gave up left nothing behind")
		again()
	})
}
