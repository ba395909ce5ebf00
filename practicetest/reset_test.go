package practicetest_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

func TestResetMakesTheServiceNew(t *testing.T) {
	t.Parallel()
	inMemoryAndOverTCP(t, func(t *testing.T, s *practicetest.Server) {
		firm, credentials := s.Firm(), s.Credentials()
		c := call(t, s)
		staff, folder := "/staff/"+firm.StaffID, "/matters/"+firm.MatterID+"/documents/folders/"+firm.FolderID

		inbox := subscribe(t, s, "error")
		s.Emit(practicetest.Event{Type: "error"})
		inbox.wait(1)
		c.do("DELETE", staff, "").want(202)
		c.do("POST", "/matters/"+firm.MatterID+"/documents/folders", `{"name":"n","parentFolderId":"`+firm.FolderID+`"}`).want(202)
		s.Settle()
		s.ExpireTokens()
		s.FailWrite("deleteStaff", "doomed")
		s.Inject(practicetest.Fault{Operation: "getStaff", Status: http.StatusForbidden, Times: -1})
		s.Clock().Advance(time.Hour)

		s.Reset()
		assert.Equal(t, firm, s.Firm())
		assert.Equal(t, credentials, s.Credentials())
		assert.Empty(t, s.Requests())
		assert.Empty(t, s.Deliveries())
		assert.Equal(t, false, c.get(staff).want(200).at("former"))
		assert.NotContains(t, c.get(folder).want(200).Body, `"name":"n"`)
		assert.Contains(t, c.get("/webhooks").want(200).Body, `"size":1,`, "the subscription is gone")
		c.do("DELETE", staff, "").want(202)
		s.Settle()
		assert.Equal(t, true, c.get(staff).want(200).at("former"), "no write is doomed")
	})
}

func TestReseedMakesAnotherFirmForTheSameClient(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithVirtualClock(start), practicetest.WithEvents(30))
	firm, before := s.Firm(), s.Credentials()
	assert.Equal(t, practicetest.Seed{Number: 1, Events: 30, Matters: 8, Promotions: 12}, s.Seed())

	s.Reseed(practicetest.Seed{Number: 9, Events: 7, Matters: 3, Promotions: 2})
	other := practicetest.New(t, practicetest.WithVirtualClock(start), practicetest.WithSeed(9), practicetest.WithEvents(7),
		practicetest.WithMatters(3), practicetest.WithPromotions(2))
	assert.Equal(t, other.Firm(), s.Firm())
	assert.NotEqual(t, firm.MatterID, s.Firm().MatterID)
	assert.Equal(t, other.EventIDs(), s.EventIDs())
	after := s.Credentials()
	assert.Equal(t, []string{before.ClientID, before.ClientSecret, before.APIKey, before.AccessToken, before.RefreshToken},
		[]string{after.ClientID, after.ClientSecret, after.APIKey, after.AccessToken, after.RefreshToken})
	call(t, s).get("/staff/" + s.Firm().StaffID).want(200)

	s.Reseed(practicetest.Seed{Number: 1, Events: 30, Matters: 8, Promotions: 12})
	assert.Equal(t, firm, s.Firm())
	s.Reseed(practicetest.Seed{Number: 1, Events: 900, Matters: 8, Promotions: 12})
	assert.Equal(t, firm, s.Firm(), "the number of events changes no identifier")
}

func TestSecretsFollowFromTheSeedUnlessTheyAreRandom(t *testing.T) {
	t.Parallel()
	seeded, again := practicetest.New(t, practicetest.WithSeed(1)), practicetest.New(t, practicetest.WithSeed(1))
	assert.Equal(t, seeded.Credentials(), again.Credentials())

	one, two := practicetest.New(t), practicetest.New(t, practicetest.WithSeed(1), practicetest.WithRandomSecrets())
	assert.Equal(t, seeded.Firm(), one.Firm(), "identifiers are no secrets")
	a, b := one.Credentials(), two.Credentials()
	for _, secrets := range [][2]string{
		{a.ClientSecret, b.ClientSecret}, {a.APIKey, b.APIKey}, {a.AccessToken, b.AccessToken}, {a.RefreshToken, b.RefreshToken},
	} {
		assert.NotEqual(t, secrets[0], secrets[1])
		assert.Greater(t, len(secrets[0]), 32)
	}
	call(t, one).get("/bankaccounts").want(200)
	one.Reset()
	assert.Equal(t, a, one.Credentials(), "they stay for the life of the service")
	call(t, one).get("/bankaccounts").want(200)
}

func TestResetGivesUpWhatWaits(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithVirtualClock(start), practicetest.WithWriteDelay(time.Minute), practicetest.WithWebhookRedeliveries(3))
	c, staff := call(t, s), "/staff/"+s.Firm().StaffID
	c.do("DELETE", staff, "").want(202)
	s.Emit(practicetest.Event{Type: "layoutdesign.updated"})
	s.Reset()
	s.Clock().Advance(10 * time.Minute)
	s.Settle()
	assert.Equal(t, false, c.get(staff).want(200).at("former"))
	assert.NoError(t, s.Flush(t.Context()), "no notification is left")
}

// TestResetInTheMiddleOfRequests resets the service while 64 clients read,
// write, upload and receive webhooks. Each response comes from the old or the
// new state, and at the end the firm is in its initial state.
func TestResetInTheMiddleOfRequests(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithVirtualClock(start), practicetest.WithRequestLog(0), practicetest.WithWebhookRedeliveries(1))
	paths, _ := everyRead(t, s)
	pristine := answersTo(t, s, paths)
	subscribe(t, s, "files.updated", "contact.created", "error")
	f := s.Firm()
	const resets, clients = 8, 64
	var begun, ended sync.WaitGroup
	stop := make(chan struct{})
	for n := range clients {
		begun.Add(1)
		ended.Go(func() {
			c := call(t, s)
			for i := 0; ; i++ {
				at := paths[(n*31+i)%len(paths)]
				for _, got := range []answer{
					c.get(at),
					c.do("POST", "/matters/"+f.MatterID+"/documents/folders", `{"name":"n"}`),
					c.do("POST", "/contacts", `{"trust":{"name":"n"}}`),
					c.do("PATCH", "/matters/"+f.MatterID+"/fees/"+f.FeeID, `{"subject":"s"}`),
				} {
					assert.Less(t, got.Status, 300, "%s: %s", at, got.Body)
				}
				if got := c.do("POST", "/matters/"+f.MatterID+"/documents/files", `{"fileName":"a.txt"}`); assert.Equal(t, 202, got.Status, got.Body) {
					assert.Contains(t, []int{200, 403, 404}, c.storage("PUT", got.text("uploadUrl"), "text", nil).Status)
				}
				if i == 0 {
					begun.Done()
				}
				select {
				case <-stop:
					return
				default:
				}
			}
		})
	}
	begun.Wait()
	for range resets {
		s.Reset()
		s.Settle()
	}
	close(stop)
	ended.Wait()
	s.Reset()
	assert.Equal(t, pristine, answersTo(t, s, paths))
}

func answersTo(t *testing.T, s *practicetest.Server, paths []string) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, at := range paths {
		found[at] = call(t, s).get(at).want(200).Body
	}
	return found
}

// TestAViolationIsExcusedByItsOwnCommandOnly resets the service in each
// possible way after a violation, which must remain recorded.
func TestAViolationIsExcusedByItsOwnCommandOnly(t *testing.T) {
	t.Parallel()
	for name, anew := range map[string]func(*testing.T, *practicetest.Server){
		"Reset": func(_ *testing.T, s *practicetest.Server) { s.Reset() },
		"Reseed": func(_ *testing.T, s *practicetest.Server) {
			s.Reseed(practicetest.Seed{Number: 2, Matters: 1, Promotions: 1})
		},
		"ResetRequests": func(_ *testing.T, s *practicetest.Server) { s.ResetRequests() },
		"POST /reset":   func(t *testing.T, s *practicetest.Server) { command(t, s, "POST", "/reset", "").want(204) },
		"POST /reset, the clock": func(t *testing.T, s *practicetest.Server) {
			command(t, s, "POST", "/reset", `{"clock":true}`).want(204)
		},
		"PUT /seed":        func(t *testing.T, s *practicetest.Server) { command(t, s, "PUT", "/seed", `{"number":3}`).want(200) },
		"DELETE /requests": func(t *testing.T, s *practicetest.Server) { command(t, s, "DELETE", "/requests", "").want(204) },
	} {
		s := controlled(t, practicetest.WithViolationHandler(func(string) {}))
		call(t, s).get("/nothing").want(404)
		anew(t, s)
		assert.Len(t, s.Violations(), 1, name)
		assert.Len(t, s.ExcuseViolations(), 1, name)
	}
}

func TestTheClockGoesBackWhenToldTo(t *testing.T) {
	t.Parallel()
	s := controlled(t)
	seeded := s.EventIDs()
	for range 2 {
		s.Clock().Advance(40 * 24 * time.Hour)
		command(t, s, "POST", "/reset", "{}").want(204)
		assert.Equal(t, start.Add(40*24*time.Hour).UTC(), s.Clock().Now().UTC(), "it stays unless told otherwise")
		command(t, s, "POST", "/reset", `{"clock":true}`).want(204)
		assert.Equal(t, start.Round(0), s.Clock().Now())
		assert.Equal(t, seeded, s.EventIDs())
	}
	command(t, s, "POST", "/reset", `{"clocks":true}`).want(400)

	following, err := practicetest.Start()
	require.NoError(t, err)
	defer func() { assert.NoError(t, following.Close()) }()
	following.Clock().Advance(-3 * time.Hour)
	following.Clock().Set(time.Now().Add(24 * time.Hour))
	following.Clock().Rewind()
	assert.WithinDuration(t, time.Now(), following.Clock().Now(), time.Minute)
}
