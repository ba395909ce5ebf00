package nats

import (
	"testing"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/assert"
)

func TestTheLimitOfAnAccountIsThatOfOneCopy(t *testing.T) {
	t.Parallel()
	limit := func(bytes int64) jetstream.Tier {
		return jetstream.Tier{Limits: jetstream.AccountLimits{MaxStore: bytes}}
	}
	for _, row := range []struct {
		name     string
		account  jetstream.AccountInfo
		replicas int
		want     int64
	}{
		{"none", jetstream.AccountInfo{Tier: limit(-1)}, 1, 0},
		{"one copy", jetstream.AccountInfo{Tier: limit(900)}, 1, 900},
		{"three copies, each of which counts", jetstream.AccountInfo{Tier: limit(900)}, 3, 300},
		{"a limit for streams with three copies", jetstream.AccountInfo{Tiers: map[string]jetstream.Tier{"R1": limit(100), "R3": limit(700)}}, 3, 700},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, row.want, limitOf(&row.account, row.replicas))
		})
	}
}
