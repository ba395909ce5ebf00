package databases_test

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/internal/postgrestest"
)

// postgres is the server of this test binary.
var postgres postgrestest.Server

func TestMain(m *testing.M) {
	runCaller()
	stop, err := postgres.Start()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) { stop(); os.Exit(code) }))
}

// postgresPlace returns an empty schema.
func postgresPlace(t *testing.T, isolation string) place {
	t.Helper()
	return place{"pgx", postgres.Source(postgres.Schema(t), isolation), true}
}
