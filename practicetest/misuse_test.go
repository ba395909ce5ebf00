package practicetest_test

import (
	"fmt"
	"net/http"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// TestTheMistakesOfATestAreTold makes each mistake with which a test of the
// embedded service would check nothing.
func TestTheMistakesOfATestAreTold(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		test func(t *testing.T, s *practicetest.Server)
		told []string
	}{
		"a fault for an operation that does not exist": {
			func(_ *testing.T, s *practicetest.Server) { s.Inject(practicetest.Fault{Operation: "getStaf"}) },
			[]string{`practicetest: Inject: the operation "getStaf" does not exist; did you mean "getStaff"? (misuse_test.go)`},
		},
		"a fault that no request has met": {
			func(t *testing.T, s *practicetest.Server) {
				s.Inject(practicetest.Fault{Operation: "getStaff"})
				call(t, s).get("/firm").want(200)
			},
			[]string{`practicetest: the fault injected for "getStaff" was not used by any request (misuse_test.go)`},
		},
		"a fault for the name of a method": {
			func(_ *testing.T, s *practicetest.Server) { s.Inject(practicetest.Fault{Operation: "Staff.Get"}) },
			[]string{`practicetest: Inject: the operation "Staff.Get" does not exist; did you mean "getStaff"? (misuse_test.go)`},
		},
		"a fault for the name of a walk": {
			func(_ *testing.T, s *practicetest.Server) {
				s.Inject(practicetest.Fault{Operation: "Documents.AllFiles"})
			},
			[]string{`practicetest: Inject: the operation "Documents.AllFiles" does not exist; did you mean "listFiles"? (misuse_test.go)`},
		},
		"a fault for an operation in other letters": {
			func(_ *testing.T, s *practicetest.Server) { s.Inject(practicetest.Fault{Operation: "GETSTAFF"}) },
			[]string{`practicetest: Inject: the operation "GETSTAFF" does not exist; did you mean "getStaff"? (misuse_test.go)`},
		},
		"a fault for any operation that no request has met": {
			func(_ *testing.T, s *practicetest.Server) { s.Inject(practicetest.Fault{}) },
			[]string{`practicetest: the fault injected for any operation was not used by any request (misuse_test.go)`},
		},
		"a late failure of the name of a method": {
			func(_ *testing.T, s *practicetest.Server) { s.FailWrite("Fees.Patch", "no") },
			[]string{`practicetest: FailWrite: "Fees.Patch" is not an asynchronous write; did you mean "patchFee"? (misuse_test.go)`},
		},
		"a record that the service would refuse": {
			func(_ *testing.T, s *practicetest.Server) { s.AddMatter(models.MatterWrite{}) },
			[]string{`practicetest: createMatter was rejected: clientIds: is required; matterTypeId: is required; status: is required (misuse_test.go)`},
		},
		"a late failure of a read": {
			func(_ *testing.T, s *practicetest.Server) { s.FailWrite("getStaff", "no") },
			[]string{`practicetest: FailWrite: "getStaff" is not an asynchronous write (misuse_test.go)`},
		},
		"a late failure of a misspelt write": {
			func(_ *testing.T, s *practicetest.Server) { s.FailWrite("pachFee", "no") },
			[]string{`practicetest: FailWrite: "pachFee" is not an asynchronous write; did you mean "patchFee"? (misuse_test.go)`},
		},
		"a late failure of a write that takes effect at once": {
			func(_ *testing.T, s *practicetest.Server) { s.FailWrite("addContactTags", "no") },
			[]string{`practicetest: FailWrite: "addContactTags" is not an asynchronous write (misuse_test.go)`},
		},
		"a late failure that no write has met": {
			func(_ *testing.T, s *practicetest.Server) { s.FailWrite("patchFee", "no") },
			[]string{`practicetest: the failure requested with FailWrite("patchFee") was not used by any write (misuse_test.go)`},
		},
		"a stub that no request has met": {
			func(_ *testing.T, s *practicetest.Server) { s.Stub("GET /matters/{id}", http.NotFoundHandler()) },
			[]string{`practicetest: the stub for "GET /matters/{id}" was not used by any request (misuse_test.go)`},
		},
		"a stub whose pattern cannot be read": {
			func(_ *testing.T, s *practicetest.Server) { s.Stub("GET matters", http.NotFoundHandler()) },
			[]string{`practicetest: Stub: parsing "GET matters": at offset 4: host/path missing / (misuse_test.go)`},
		},
		"a stub without a handler": {
			func(_ *testing.T, s *practicetest.Server) { s.Stub("/", nil) },
			[]string{`practicetest: Stub: http: nil handler (misuse_test.go)`},
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
			failing.end()
			assert.Equal(t, tt.told, withoutLines(failing.failures))
		})
	}
}

// end simulates the end of the test.
func (r *reporter) end() {
	for _, f := range slices.Backward(r.cleanups) {
		f()
	}
}

// withoutLines removes the line numbers from messages.
func withoutLines(told []string) (texts []string) {
	for _, text := range told {
		texts = append(texts, regexp.MustCompile(`_test\.go:[0-9]+\)$`).ReplaceAllString(text, "_test.go)"))
	}
	return texts
}

// TestAMistakeIsToldWithTheLineOfTheTest calls the service through a helper.
// The message contains the line that calls this package.
func TestAMistakeIsToldWithTheLineOfTheTest(t *testing.T) {
	t.Parallel()
	failing := &reporter{TB: t}
	s := practicetest.New(failing)
	_, _, line, _ := runtime.Caller(0)
	func() { s.AddStage("nothing", models.Stage{}) }()
	failing.end()
	assert.Len(t, failing.failures, 1)
	assert.True(t, strings.HasSuffix(failing.failures[0], fmt.Sprintf("(misuse_test.go:%d)", line+1)), failing.failures)
}

func TestAProgramThatMakesAMistakePanics(t *testing.T) {
	t.Parallel()
	s, err := practicetest.Start()
	assert.NoError(t, err)
	defer func() { assert.NoError(t, s.Close()) }()
	assert.PanicsWithValue(t, `practicetest: Inject: the operation "getStaf" does not exist; did you mean "getStaff"?`, func() { s.Inject(practicetest.Fault{Operation: "getStaf"}) })
	assert.PanicsWithValue(t, `practicetest: FailWrite: "getStaff" is not an asynchronous write`, func() { s.FailWrite("getStaff", "no") })
	assert.Panics(t, func() { s.Stub("", http.NotFoundHandler()) })
}
