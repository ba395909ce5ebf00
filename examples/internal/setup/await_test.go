package setup

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
)

func TestAwait(t *testing.T) {
	t.Parallel()
	notFound := error(&practice.Error{StatusCode: 404})
	refused := errors.New("refused")
	tests := map[string]struct {
		answers []error // the last one is repeated
		calls   int
		want    error
	}{
		"a record that is there is read once":           {[]error{nil}, 1, nil},
		"a record that is not found yet is waited for":  {[]error{notFound, notFound, nil}, 3, nil},
		"what is not a missing record is not repeated":  {[]error{notFound, refused}, 2, refused},
		"a record that never comes is not found at all": {[]error{notFound}, 21, practice.ErrNotFound},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				started, calls := time.Now(), 0
				err := Await(t.Context(), func() error {
					calls++
					return tt.answers[min(calls, len(tt.answers))-1]
				})
				require.ErrorIs(t, err, tt.want)
				assert.Equal(t, tt.calls, calls)
				assert.Less(t, time.Since(started), longest+2*time.Second)
			})
		})
	}
}

func TestAwaitEndsWithItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		started := time.Now()
		err := Await(ctx, func() error { return &practice.Error{StatusCode: 404} })
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, time.Second, time.Since(started))
	})
}
