package panics_test

import (
	"errors"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/panics"
)

// ending returns how f ends: with a panic value, by Goexit, or by returning.
func ending(f func()) (value any, exited bool) {
	var one sync.WaitGroup
	one.Go(func() {
		exited = true
		defer func() {
			if value = recover(); value != nil {
				exited = false
			}
		}()
		f()
		exited = false
	})
	one.Wait()
	return value, exited
}

var errOwn = errors.New("own")

func TestAGroupThrowsWhatItsFirstFunctionDid(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		f      func()
		panics bool
		exits  bool
	}{
		"returns":                 {func() {}, false, false},
		"panics":                  {func() { panic(errOwn) }, true, false},
		"ends its goroutine":      {runtime.Goexit, false, true},
		"panics with a carried":   {func() { nested(func() { panic(errOwn) }) }, true, false},
		"ends one below it":       {func() { nested(runtime.Goexit) }, false, true},
		"panics in another one":   {func() { apart(func() { panic(errOwn) }) }, true, false},
		"ends another one's life": {func() { apart(runtime.Goexit) }, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			after := 0
			value, exited := ending(func() { // in a goroutine other than the test's, which must not exit
				var g panics.Group
				g.Go(test.f, func(returned bool) {
					after++
					assert.Equal(t, !test.panics && !test.exits, returned)
				})
				g.Wait()
			})
			assert.Equal(t, 1, after)
			assert.Equal(t, test.exits, exited)
			if !test.panics {
				assert.Nil(t, value)
				return
			}
			err, is := value.(error)
			require.True(t, is)
			require.ErrorIs(t, err, errOwn)
			assert.Regexp(t, `^own\n\n(?s).*TestAGroupThrows`, err.Error(), "the stack of where it happened")
		})
	}
}

func nested(f func()) {
	var inner panics.Group
	inner.Go(f, func(bool) {})
	inner.Wait()
}

func apart(f func()) {
	var box panics.Box
	box.Apart(f)
	box.Rethrow()
}

func TestABoxIsEmptyOnceItWasTaken(t *testing.T) {
	t.Parallel()
	var box panics.Box
	assert.Nil(t, box.Take())
	box.Run(func() { panic("first") })
	box.Run(func() { panic("second") })
	caught := box.Take()
	require.NotNil(t, caught)
	assert.EqualError(t, caught.Err(), "a function passed by the caller panicked: first")
	box.Rethrow() // no effect
	box.Apart(runtime.Goexit)
	assert.EqualError(t, box.Take().Err(), "a function passed by the caller called runtime.Goexit")
}
