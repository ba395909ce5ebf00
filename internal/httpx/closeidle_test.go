package httpx

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

type closer func()

func (c closer) CloseIdleConnections() { c() }

func TestTheEndOfIdleConnectionsIsNotAwaitedForEver(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ hangs, took time.Duration }{
		"at once": {0, 0}, "for a while": {endTime / 2, endTime / 2}, "never": {time.Hour, endTime},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			CloseIdleConnections(closer(func() { <-time.After(test.hangs) }))
			assert.Equal(t, test.took, time.Since(began), name)
			<-time.After(test.hangs)
		})
	}
}
