package pause_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/internal/pause"
)

func TestAStopwatchGoesOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		watch := pause.Start()
		assert.Zero(t, watch.Passed())
		<-time.After(time.Hour)
		assert.Equal(t, time.Hour, watch.Passed())
	})
}
