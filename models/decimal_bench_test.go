package models_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/models"
)

// BenchmarkDecimals reads, adds and writes the amounts of a matter.
func BenchmarkDecimals(b *testing.B) {
	for name, text := range map[string]string{
		"ordinary": `{"balance":1050.96,"protectedBalance":350.32,"availableBalance":700.64,"unpresentedChequesBalance":0.00}`,
		"29 digits": `{"balance":9.0909090909090909090909090909,"protectedBalance":1.0000000000000000000000000000,` +
			`"availableBalance":79228162514264337593543950335,"unpresentedChequesBalance":0.0000000000000000000000000000}`,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var room []byte
			for b.Loop() {
				var balance models.MatterBalance
				if err := codec.Unmarshal([]byte(text), &balance, models.Wire); err != nil {
					b.Fatal(err)
				}
				_, err := balance.Balance.Add(balance.ProtectedBalance)
				require.NoError(b, err)
				if room, err = codec.AppendRequest(room[:0], &balance, models.Wire); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
