package practicetest_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// keeping starts a service with a state file, with the options of the sandbox.
func keeping(t *testing.T, file string, opts ...practicetest.Option) *practicetest.Server {
	t.Helper()
	s, err := practicetest.Start(append([]practicetest.Option{
		practicetest.WithStateFile(file), practicetest.WithControl(), practicetest.WithRandomSecrets(),
	}, opts...)...)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func keptClient(t *testing.T, s *practicetest.Server) *practice.Client {
	t.Helper()
	client, err := s.NewClient()
	require.NoError(t, err)
	return client
}

// everything returns the data of the firm that the control interface shows,
// without the addresses of the service.
func everything(t *testing.T, s *practicetest.Server) string {
	t.Helper()
	f := s.Firm()
	var told strings.Builder
	var lists struct{ Value []struct{ Path string } }
	command(t, s, "GET", "/records/lists", "").want(200).into(&lists)
	ids := strings.NewReplacer(
		"{matterId}", f.MatterID, "{contactId}", f.ContactID, "{bankAccountId}", f.BankAccountID, "{subscriptionId}", f.SubscriptionID, "{taskId}", f.TaskID,
		"{eventId}", f.EventID, "{pluginId}", f.PluginID, "{accountId}", f.AccountID, "{mattertypeId}", f.MatterTypeID, "{fileId}", f.FileID)
	for _, one := range lists.Value {
		told.WriteString(one.Path + command(t, s, "GET", "/records/list?path="+ids.Replace(one.Path), "").Body + "\n")
	}
	for _, path := range []string{"/changes", "/seed", "/portal/messages", "/invitations", "/portal/tasks?matterId=" + f.MatterID} {
		told.WriteString(path + command(t, s, "GET", path, "").want(200).Body + "\n")
	}
	told.WriteString(call(t, s).get("/webhooks").want(200).Body)
	return strings.NewReplacer(s.BaseURL(), "{base}", s.StorageURL(), "{storage}").Replace(told.String())
}

func TestAServiceGoesOnWithTheFirmOfItsStateFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "firm.state")
	slow := practicetest.WithWriteDelay(time.Hour) // so that calls still find records that earlier calls have deleted
	s := keeping(t, file, slow)
	client, firm := keptClient(t, s), s.Firm()
	done := 0
	for _, op := range operations.All() {
		if op.Call(t.Context(), client, firm, practice.WithRetries(0)) == nil {
			done++
		}
	}
	assert.Greater(t, done, len(operations.All())*9/10, "some need what others have deleted")
	matter := firm.MatterIDs[1]
	uploaded, err := client.Documents.Upload(t.Context(), matter, practice.Upload{Name: "Kept.txt", Body: strings.NewReader("kept\x00bytes")})
	require.NoError(t, err)
	command(t, s, "POST", "/clock", `{"advanceMilliseconds": 60000}`).want(200)
	command(t, s, "POST", "/records", `{"path":"/activitycodes","record":{"code":"KEPT"}}`).want(201)
	command(t, s, "POST", "/settle", "").want(204)
	before, credentials := everything(t, s), s.Credentials()
	require.NoError(t, s.Close())

	for range 2 { // replaying must not change the state
		s = keeping(t, file, slow)
		assert.InDelta(t, time.Minute, time.Until(s.Clock().Now()), float64(30*time.Second), "the clock is a minute ahead still")
		assert.Equal(t, credentials, s.Credentials())
		assert.Equal(t, firm, s.Firm())
		assertSame(t, before, everything(t, s))
		content, there := s.FileContent(uploaded.ID)
		assert.True(t, there)
		assert.Equal(t, "kept\x00bytes", string(content))
		assert.Empty(t, s.Violations())
		assert.Empty(t, s.Deliveries(), "nothing is delivered again")
		require.NoError(t, s.Close())
	}
}

// assertSame fails with the first difference instead of both texts.
func assertSame(t *testing.T, want, got string) {
	t.Helper()
	at := 0
	for at < min(len(want), len(got)) && want[at] == got[at] {
		at++
	}
	around := func(text string) string { return text[max(0, at-200):min(len(text), at+200)] }
	require.Equal(t, around(want), around(got))
}

func TestTokensAddressesAndLateWritesOutliveTheService(t *testing.T) {
	t.Parallel()
	file, slow, long := filepath.Join(t.TempDir(), "firm.state"), practicetest.WithWriteDelay(time.Hour), practicetest.WithTokenLifetime(3*time.Hour)
	s := keeping(t, file, slow, long)
	c, firm := call(t, s), s.Firm()
	subscription := c.do("POST", "/webhooks", `{"name":"kept","eventNotificationUrl":"http://127.0.0.1:1/hooks","eventTypes":["matter.updated"]}`).want(200).text("id")
	address := c.get("/matters/" + firm.MatterID + "/documents/files/" + firm.FileID + "/upload").want(200).text("uploadUrl")
	c.do("DELETE", "/staff/"+firm.StaffID, "").want(202)
	command(t, s, "POST", "/failures", `{"operation":"patchFee","message":"The fee is finalized"}`).want(204)
	require.NoError(t, s.Close())

	storage := s.StorageURL()
	s = keeping(t, file, slow, long)
	c = call(t, s) // with the token of the first service
	c.get("/webhooks/" + subscription).want(200)
	assert.Equal(t, 200, c.put(strings.Replace(address, storage, s.StorageURL(), 1), "uploaded later").Status)
	assert.Equal(t, false, c.get("/staff/"+firm.StaffID).want(200).at("former"), "not due yet")
	fee := "/matters/" + firm.MatterID + "/fees/" + firm.FeeID
	c.do("PATCH", fee, `{"subject":"doomed"}`).want(202)
	command(t, s, "POST", "/clock", `{"advanceMilliseconds": 3600000}`).want(200)
	assert.Equal(t, true, c.get("/staff/"+firm.StaffID).want(200).at("former"))
	assert.NotContains(t, c.get(fee).want(200).Body, "doomed")
	content, _ := s.FileContent(firm.FileID)
	assert.Equal(t, "uploaded later", string(content))
}

func TestAResetBeginsTheStateFileAnew(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "firm.state")
	s := keeping(t, file)
	for range 20 {
		command(t, s, "POST", "/records", `{"path":"/activitycodes","record":{"code":"GONE"}}`).want(201)
	}
	command(t, s, "PUT", "/seed", `{"number":7,"events":5,"matters":2}`).want(200)
	command(t, s, "POST", "/records", `{"path":"/activitycodes","record":{"code":"KEPT"}}`).want(201)
	before := everything(t, s)
	require.NoError(t, s.Close())
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, 3, bytes.Count(text, []byte("\n")), "the beginning, the new seed and a record")

	assertSame(t, before, everything(t, keeping(t, file)))
}

func TestAStateFileThatIsNotRightIsAnError(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole")
	s := keeping(t, whole)
	c := call(t, s)
	for range 3 {
		c.do("POST", "/activitycodes", `{"code":"ADV"}`).want(202)
	}
	require.NoError(t, s.Close())
	text, err := os.ReadFile(whole)
	require.NoError(t, err)
	lines := bytes.SplitAfter(text, []byte("\n"))
	open := func(name string, content []byte, opts ...practicetest.Option) error {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, content, 0o600))
		s, err := practicetest.Start(append(opts, practicetest.WithStateFile(file), practicetest.WithControl(), practicetest.WithRandomSecrets())...)
		if err == nil {
			require.NoError(t, s.Close())
		}
		after, readErr := os.ReadFile(file)
		require.NoError(t, readErr)
		if err != nil {
			assert.Equal(t, string(content), string(after), "what is broken stays as it is")
		}
		return err
	}

	require.NoError(t, open("as it was", text))
	assert.ErrorContains(t, open("half a line", []byte("00")), "line 1 is incomplete")
	assert.ErrorContains(t, open("no state", []byte("{}\n")), "checksum")
	assert.ErrorContains(t, open("a byte changed", bytes.Replace(text, []byte("POST"), []byte("POSS"), 1)), "line 2: the checksum does not match")
	assert.ErrorContains(t, open("a line missing", bytes.Join([][]byte{lines[0], lines[2], lines[3]}, nil)), "line 2: the checksum does not match")
	assert.ErrorContains(t, open("other options", text, practicetest.WithSeed(7), practicetest.WithEvents(5)), "seed is 1 in the file but 7 in the options")
	require.NoError(t, open("cut off while it was written", text[:len(text)-9]), "nobody got an answer to the last request")

	s = keeping(t, whole)
	_, err = practicetest.Start(practicetest.WithStateFile(whole), practicetest.WithControl())
	assert.ErrorContains(t, err, "locked by another process")
	require.NoError(t, s.Close())
}

func TestRequestsAtOnceAreKeptInTheirOrder(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "firm.state")
	s := keeping(t, file, practicetest.WithWriteDelay(time.Millisecond))
	client, firm := keptClient(t, s), s.Firm()
	errs := make(chan error)
	const writers, each = 8, 8
	for range writers {
		go func() {
			var failed error
			for range each {
				if _, err := client.Fees.Create(t.Context(), firm.MatterID, models.FeeWrite{Subject: "Advice", FeeDate: models.DateOf(time.Now())}); err != nil {
					failed = err
				}
				if _, err := client.Fees.List(t.Context(), firm.MatterID, practice.FeeListOptions{}); err != nil {
					failed = err
				}
			}
			errs <- failed
		}()
	}
	for range writers {
		require.NoError(t, <-errs)
	}
	command(t, s, "POST", "/settle", "").want(204)
	before := everything(t, s)
	require.NoError(t, s.Close())
	assertSame(t, before, everything(t, keeping(t, file, practicetest.WithWriteDelay(time.Millisecond))))
}

// TestASecondServiceIsToldWhereTheFirstIs uses the error of the second service
// to connect to the first one.
func TestASecondServiceIsToldWhereTheFirstIs(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "firm.state")
	first, err := practicetest.Start(practicetest.WithControl(), practicetest.WithStateFile(file), practicetest.WithRandomSecrets())
	require.NoError(t, err)
	_, err = practicetest.Start(practicetest.WithControl(), practicetest.WithStateFile(file), practicetest.WithRandomSecrets())
	used := (*practicetest.StateInUseError)(nil)
	require.ErrorAs(t, err, &used)
	assert.Equal(t, []string{first.BaseURL(), first.TokenURL(), first.ControlURL()}, []string{used.BaseURL, used.TokenURL, used.ControlURL})
	c := first.Credentials()
	assert.Equal(t, practicetest.Credentials{ClientID: c.ClientID, ClientSecret: c.ClientSecret, APIKey: c.APIKey}, used.Credentials)
	assert.ErrorContains(t, err, first.ControlURL())
	require.NoError(t, first.Close())

	second, err := practicetest.Start(practicetest.WithStateFile(file), practicetest.WithRandomSecrets())
	require.NoError(t, err)
	_, err = practicetest.Start(practicetest.WithStateFile(file))
	require.ErrorAs(t, err, &used)
	assert.Equal(t, []string{second.BaseURL(), ""}, []string{used.BaseURL, used.ControlURL}, "not the address of the one that has ended")
	require.NoError(t, second.Close())
}

func TestAnEmptyStateFileBeginsANewFirm(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "firm.state")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for range 2 {
		s, err := practicetest.Start(practicetest.WithStateFile(file))
		require.NoError(t, err)
		require.NoError(t, s.Close())
	}
	info, err := os.Stat(file)
	require.NoError(t, err)
	assert.Positive(t, info.Size())
}

// TestAConsistencyThatACommandSetIsKept makes writes overtake each other before
// and after a restart. The records must equal those of a service that was not
// restarted.
func TestAConsistencyThatACommandSetIsKept(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "firm.state")
	s := keeping(t, file)
	matter := "/matters/" + s.Firm().MatterID
	write := func(number int) {
		call(t, s).do("PATCH", matter, fmt.Sprintf(`{"description":"the write %d"}`, number)).want(202)
	}
	command(t, s, "PUT", "/consistency", `{"minDelayMilliseconds":60000,"maxDelayMilliseconds":1800000}`).want(204)
	for number := range 5 {
		write(number)
	}
	require.NoError(t, s.Close())
	s = keeping(t, file)
	assert.NotContains(t, call(t, s).get(matter).want(200).Body, "the write")
	write(5)
	command(t, s, "POST", "/clock", `{"advanceMilliseconds": 1800000}`).want(200)
	last := call(t, s).get(matter).want(200).text("description")
	require.NoError(t, s.Close())
	s = keeping(t, file)
	assert.Equal(t, last, call(t, s).get(matter).want(200).text("description"))
	command(t, s, "POST", "/reset", "").want(204)
	require.NoError(t, s.Close())
	s = keeping(t, file)
	write(6)
	command(t, s, "POST", "/clock", `{"advanceMilliseconds": 1000}`).want(200)
	assert.Equal(t, "the write 6", call(t, s).get(matter).want(200).text("description"))
}
