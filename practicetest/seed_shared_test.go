package practicetest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/practicetest"
)

// TestNoWriteReachesAServiceWithTheSameSeed performs each operation in two
// services at the same time, whose firm is shared. Services with that firm must
// then answer each read as one does whose firm is generated anew.
func TestNoWriteReachesAServiceWithTheSameSeed(t *testing.T) { //nolint:paralleltest // services of other tests would make the process forget the firm
	service := func(t *testing.T, form practicetest.EmptyMembers, seed uint64) *practicetest.Server {
		t.Helper()
		return practicetest.New(t, practicetest.WithVirtualClock(start), practicetest.WithSeed(seed), practicetest.WithStrict(false),
			practicetest.WithRendering(practicetest.Rendering{Empty: form}))
	}
	document := describedAPI(t)
	witness, writes := service(t, practicetest.EmptyFull, 4711), 0
	t.Run("writes", func(t *testing.T) {
		for _, op := range soak.Slice(t, 3, operations.All(), func(op operations.Operation) string { return op.ID }) {
			if document.Operation(op.ID).Class == "read" {
				continue
			}
			writes++
			for range 2 {
				t.Run(op.ID, func(t *testing.T) {
					t.Parallel()
					s := service(t, practicetest.EmptyNull, 4711)
					sent := goodCall(t, s, op)
					require.Less(t, callFor(t, s, op).do(sent.method, sent.path, sent.body).Status, 300)
					s.Settle()
				})
			}
		}
	})
	assert.GreaterOrEqual(t, writes, soak.Least(soak.Times(20, 100)))
	later := service(t, practicetest.EmptyFull, 4711)
	for seed := range uint64(8) { // as many firms as a process keeps
		service(t, practicetest.EmptyFull, 5000+seed)
	}
	paths, _ := everyRead(t, witness)
	want := answersTo(t, service(t, practicetest.EmptyFull, 4711), paths)
	assert.Equal(t, want, answersTo(t, witness, paths), "a service from before the writes")
	assert.Equal(t, want, answersTo(t, later, paths), "a service from after the writes")
}

// TestWhatOneServiceAddsIsNotInAnother writes to the first of two services
// that share their seeded firm, and then the same to the second.
func TestWhatOneServiceAddsIsNotInAnother(t *testing.T) {
	t.Parallel()
	const id = "c0000000-0000-4000-8000-000000000001"
	several := func() *practicetest.Server {
		return practicetest.New(t, practicetest.WithVirtualClock(start), practicetest.WithWriteDelay(0), practicetest.WithMultiAccount(true))
	}
	one, other := several(), several()
	create, _ := operations.ByID("createFirm")
	sent := goodCall(t, one, create)
	in := func(s *practicetest.Server, account string) caller {
		c := call(t, s).asClient()
		c.prefix = "/" + account
		return c
	}
	for _, s := range []*practicetest.Server{one, other} {
		in(s, id).get("/firm").want(401)
		_, there := s.IDOfExternal("own-1")
		assert.False(t, there)
		in(s, s.Firm().AccountID).with("ResourceId", id).with("ExternalId", "own-1").do(sent.method, sent.path, sent.body).want(202)
		in(s, id).get("/firm").want(200)
		own := "/webhooks/" + s.Firm().WebhookID
		assert.Equal(t, "Layouts and stages", call(t, s).get(own).want(200).text("name"))
		call(t, s).do("PUT", own, `{"name":"Renamed"}`).want(200)
	}
}

// startAndClose starts a service that listens on loopback, and closes it.
func startAndClose(tb testing.TB) {
	tb.Helper()
	s, err := practicetest.Start(practicetest.WithVirtualClock(start))
	require.NoError(tb, err)
	require.NoError(tb, s.Close())
}

// TestAServiceAfterTheFirstOfItsSeedCostsLittle counts allocations: generating
// a firm takes more than 15,000.
func TestAServiceAfterTheFirstOfItsSeedCostsLittle(t *testing.T) { //nolint:paralleltest // it counts what the process allocates
	assert.Less(t, testing.AllocsPerRun(20, func() { startAndClose(t) }), 800.)
}

// BenchmarkStartAgain measures the start of a service after the first with its
// seed.
func BenchmarkStartAgain(b *testing.B) {
	b.ReportAllocs()
	startAndClose(b)
	for b.Loop() {
		startAndClose(b)
	}
}
