package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/practicetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The table is the one in the README.
func Example() {
	service, err := practicetest.Start()
	if err != nil {
		fmt.Println(err)
		return
	}
	client, err := service.NewClient()
	if err == nil {
		s := &show{Client: client, firm: service.Firm()}
		err = s.accounts(context.Background())
		client.CloseIdleConnections()
	}
	fmt.Println(errors.Join(err, service.Close()))
	// Output:
	// Type             Account                   Number  Matters       Balance
	//   ────────────────────────────────────────────────────────────────────────
	//   Operating        Office account          15756835        0      49223.97
	//   Operating        Old office account      55249182        0          0.00
	//   Trust            Trust account           79169536        8     387395.55
	//   Credit           Credit card             30466743        0        -12.34
	//   ControlledMoney  Controlled money 10001  31745882        1  123457712.57
	//   ControlledMoney  Controlled money 10002  11505936        1  123457463.50
	//
	//   Held for clients: 247,302,571.62 dollars, to the cent.
	//   BankAccount.Audit found nothing: the balances within each account add up.
	// <nil>
}

// The README shows some lines of the output.
func TestTheREADMEShowsWhatItPrints(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("a copy of this folder has no README above it")
	}
	require.NoError(t, err)
	_, shown, found := strings.Cut(string(readme), "$ go run ./examples/quickstart\n")
	require.True(t, found)
	shown, _, _ = strings.Cut(shown, "```")
	example, err := os.ReadFile("main_test.go")
	require.NoError(t, err)
	for line := range strings.Lines(shown) {
		assert.Contains(t, string(example), strings.TrimSpace(line))
	}
}

func TestEveryPartRuns(t *testing.T) {
	require.NoError(t, run(t.Context()))
}

func TestAnEndedContextEndsItCleanly(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, run(ctx), context.Canceled) // goleak detects remaining goroutines
}

func TestATextOfTheServiceSteersNoTerminal(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "[2Jexe.tnemucod fake", plain("\x1b[2J\u202eexe.tnemucod\nfake"))
}
