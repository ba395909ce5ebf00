package practicetest_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/practicetest"
)

// answering returns a handler that responds with a status and a body.
func answering(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func TestAStubAnswersForOnePath(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	client, ids := s.Client(t), s.Firm().StaffIDs
	s.Stub("GET /staff/"+ids[0], answering(200, `{"id":"`+ids[0]+`","firstName":"Stubbed"}`))
	member, err := client.Staff.Get(t.Context(), ids[0])
	require.NoError(t, err)
	assert.Equal(t, "Stubbed", member.FirstName)
	member, err = client.Staff.Get(t.Context(), ids[1])
	require.NoError(t, err)
	assert.NotEqual(t, "Stubbed", member.FirstName)
	_, err = client.Staff.Delete(t.Context(), ids[0])
	require.NoError(t, err, "another method is left to the service")
	assert.Equal(t, []string{"getStaff", "getStaff", "deleteStaff"}, []string{s.Requests()[0].Operation, s.Requests()[1].Operation, s.Requests()[2].Operation})
}

func TestAStubSeesThePathBehindTheBaseAddress(t *testing.T) {
	t.Parallel()
	for name, opts := range map[string][]practicetest.Option{"one account": nil, "several accounts": {practicetest.WithMultiAccount(true)}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := practicetest.New(t, opts...)
			s.Stub("/reports/{name}", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				assert.Equal(t, "/reports/a b", r.URL.Path)
				answering(200, `{"name":"`+r.PathValue("name")+`"}`)(w, r)
			}))
			client := s.Client(t)
			if len(opts) > 0 {
				client = client.ForAccount(s.Firm().AccountID)
			}
			var answer struct{ Name string }
			err := client.Do(t.Context(), practice.Request{Method: http.MethodGet, Path: "/reports/{name}", PathValues: []string{"a b"}}, &answer)
			require.NoError(t, err, "no violation either: the test wants the path")
			assert.Equal(t, "a b", answer.Name)
		})
	}
}

func TestTheLatestStubAnswersAndFaultsComeFirst(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	client := s.Client(t, practice.WithRetries(0))
	s.Stub("GET /firm", answering(200, `{"name":"first"}`))
	firm, err := client.Firm.Get(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "first", firm.Name)
	s.Stub("/firm", answering(404, `{"detail":"gone"}`))
	_, err = client.Firm.Get(t.Context())
	require.ErrorIs(t, err, practice.ErrNotFound)
	s.Inject(practicetest.Fault{Operation: "getFirm", Status: 503})
	_, err = client.Firm.Get(t.Context())
	require.ErrorContains(t, err, "503")
	s.Reset()
	firm, err = client.Firm.Get(t.Context())
	require.NoError(t, err)
	assert.NotEqual(t, "first", firm.Name)
}
