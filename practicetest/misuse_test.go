package practicetest_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/practicetest"
)

// TestTheMistakesOfATestAreTold has a test of the embedded service make each mistake that
// would let it prove nothing.
func TestTheMistakesOfATestAreTold(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		test func(t *testing.T, s *practicetest.Server)
		told []string
	}{
		"a fault for an operation that does not exist": {
			func(_ *testing.T, s *practicetest.Server) { s.Inject(practicetest.Fault{Operation: "getStaf"}) },
			[]string{`practicetest: Inject: there is no operation "getStaf"`},
		},
		"a fault that no request has met": {
			func(t *testing.T, s *practicetest.Server) {
				s.Inject(practicetest.Fault{Operation: "getStaff"})
				call(t, s).get("/firm").want(200)
			},
			[]string{`practicetest: no request has met the fault injected for "getStaff"`},
		},
		"a late failure of a read": {
			func(_ *testing.T, s *practicetest.Server) { s.FailWrite("getStaff", "no") },
			[]string{`practicetest: FailWrite: "getStaff" is no operation that fails late`},
		},
		"a late failure of a misspelt write": {
			func(_ *testing.T, s *practicetest.Server) { s.FailWrite("pachFee", "no") },
			[]string{`practicetest: FailWrite: "pachFee" is no operation that fails late`},
		},
		"a late failure of a write that takes effect at once": {
			func(_ *testing.T, s *practicetest.Server) { s.FailWrite("addContactTags", "no") },
			[]string{`practicetest: FailWrite: "addContactTags" is no operation that fails late`},
		},
		"a late failure that no write has met": {
			func(_ *testing.T, s *practicetest.Server) { s.FailWrite("patchFee", "no") },
			[]string{`practicetest: no write has met the failure asked for with FailWrite("patchFee")`},
		},
		"a stub that no request has met": {
			func(_ *testing.T, s *practicetest.Server) { s.Stub("GET /matters/{id}", http.NotFoundHandler()) },
			[]string{`practicetest: no request has met the stub for "GET /matters/{id}"`},
		},
		"a stub whose pattern cannot be read": {
			func(_ *testing.T, s *practicetest.Server) { s.Stub("GET matters", http.NotFoundHandler()) },
			[]string{`practicetest: Stub: parsing "GET matters": at offset 4: host/path missing /`},
		},
		"a stub without a handler": {
			func(_ *testing.T, s *practicetest.Server) { s.Stub("/", nil) },
			[]string{`practicetest: Stub: http: nil handler`},
		},
		"nothing of it": {
			func(t *testing.T, s *practicetest.Server) {
				s.Inject(practicetest.Fault{Operation: "getStaff"})
				call(t, s).get("/staff/" + s.Firm().StaffID).want(500)
			},
			nil,
		},
		"a fault that was taken back": {
			func(_ *testing.T, s *practicetest.Server) {
				s.Inject(practicetest.Fault{Operation: "getStaff"})
				s.ClearFaults()
			},
			nil,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			failing := &reporter{TB: t}
			tt.test(t, practicetest.New(failing))
			for _, end := range slices.Backward(failing.cleanups) {
				end()
			}
			assert.Equal(t, tt.told, failing.failures)
		})
	}
}

func TestAProgramThatMakesAMistakePanics(t *testing.T) {
	t.Parallel()
	s, err := practicetest.Start()
	assert.NoError(t, err)
	defer func() { assert.NoError(t, s.Close()) }()
	assert.PanicsWithValue(t, `practicetest: Inject: there is no operation "getStaf"`, func() { s.Inject(practicetest.Fault{Operation: "getStaf"}) })
	assert.PanicsWithValue(t, `practicetest: FailWrite: "getStaff" is no operation that fails late`, func() { s.FailWrite("getStaff", "no") })
	assert.Panics(t, func() { s.Stub("", http.NotFoundHandler()) })
}
