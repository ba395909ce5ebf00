package renewals_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/internal/renewals"
)

// token is a token that is renewed.
type token struct{ next chan struct{} }

func (k *token) renew() {
	close(k.next)
	k.next = make(chan struct{})
}

func (k *token) renewal() <-chan struct{} { return k.next }

func TestOnlyRenewalsOfOthersCount(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name  string
		moves string // o: the call renews; f: others do
		found bool
	}{
		{"none", "", false},
		{"own", "o", false},
		{"two own", "oo", false},
		{"of others", "f", true},
		{"of others behind an own one", "of", true},
		{"of others before an own one", "fo", true},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			k := &token{make(chan struct{})}
			ctx, others := renewals.Than(t.Context(), k.renewal())
			for _, move := range row.moves {
				if move == 'o' {
					renewals.Own(ctx, k.renewal, k.renew)
				} else {
					renewals.Own(context.Background(), k.renewal, k.renew)
				}
			}
			select {
			case <-others.Next():
				assert.True(t, row.found)
			default:
				assert.False(t, row.found)
			}
		})
	}
}
