package backoff_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/internal/backoff"
)

func TestAStopwatchGoesOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		watch := backoff.Start()
		assert.Zero(t, watch.Passed())
		<-time.After(time.Hour)
		assert.Equal(t, time.Hour, watch.Passed())
	})
}
