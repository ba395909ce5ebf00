package replica

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// differences returns what Verify reports.
func differences(t *testing.T, c *Copy) (all []Difference) {
	t.Helper()
	require.NoError(t, c.Verify(t.Context(), func(d Difference) { all = append(all, d) }))
	return all
}

func TestVerifyReportsEachDifferenceAndChangesNothing(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, small...)
	client := server.Client(t)
	c := copyOf(t, client, Options{Kinds: []string{"contacts", "groups", "memos", "matter_tags", "staff"}})
	require.NoError(t, c.Sync(t.Context()))
	assert.Empty(t, differences(t, c))
	firm := server.Firm()
	require.NoError(t, c.Erase(t.Context(), "staff", firm.StaffID))
	assert.Empty(t, differences(t, c), "an erased record is no difference")

	group := server.AddGroup(models.GroupCreate{Name: "Night shift"})
	_, err := client.Memos.Update(t.Context(), firm.MatterID, firm.MemoID, models.MemoWrite{Title: "Another call", Text: "About the lease"})
	require.NoError(t, err)
	_, err = client.Contacts.Delete(t.Context(), firm.RelatedContactID)
	require.NoError(t, err)
	server.Settle()
	want := stored(t, c)
	found := []Difference{{"groups", group, Missing}, {"memos", firm.MemoID, Different}, {"contacts", firm.RelatedContactID, Left}}
	for range 2 {
		assert.ElementsMatch(t, found, differences(t, c))
	}
	assert.Equal(t, want, stored(t, c))
	require.NoError(t, c.Sync(t.Context()))
	assert.Empty(t, differences(t, c))
}

// Verify reports records that someone changed or removed in the tables.
func TestVerifyBelievesTheTablesThatReportsRead(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, small...)
	c := copyOf(t, server.Client(t), Options{Kinds: []string{"fees"}})
	require.NoError(t, c.Sync(t.Context()))
	fee := server.Firm().FeeID
	for _, row := range []struct {
		what      Discrepancy
		statement string
	}{
		{Different, `UPDATE fees_all SET record = '{"id":"x"}' WHERE id = '` + fee + `'`},
		{Different, `UPDATE fees_all SET record = '[]' WHERE id = '` + fee + `'`},
		{Missing, `UPDATE fees_all SET deleted = (1 = 1) WHERE id = '` + fee + `'`},
		{Missing, `DELETE FROM fees_all WHERE id = '` + fee + `'`},
	} {
		_, err := c.store.DB.ExecContext(t.Context(), row.statement)
		require.NoError(t, err, row.statement)
		assert.Equal(t, []Difference{{"fees", fee, row.what}}, differences(t, c), row.statement)
	}
}

// A record that its list does not have is compared with the one that is read by
// its id.
func TestVerifyComparesWhatOnlyAReadByIDShows(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, small...)
	c, id := copyOf(t, server.Client(t), Options{Kinds: []string{"groups"}}), idOf(1)
	server.Inject(practicetest.Fault{Operation: "listGroups", Status: 200, Body: `{"value":[{"id":"` + id + `","name":"Night shift"}]}`})
	require.NoError(t, c.Sync(t.Context()))
	for members, want := range map[string][]Difference{
		`"name":"Night shift"`: nil, `"name":"Day shift"`: {{"groups", id, Different}}, `"name":"Night shift","isDeleted":true`: {{"groups", id, Left}},
	} {
		server.Inject(practicetest.Fault{Operation: "listGroups", Status: 200, Body: `{"value":[]}`})
		server.Inject(practicetest.Fault{Operation: "getGroup", Status: 200, Body: `{"id":"` + id + `",` + members + `}`})
		assert.Equal(t, want, differences(t, c), members)
	}
}

// A list that may not be read has no differences; one that fails is an error.
func TestVerifyLeavesOutListsThatAreRefused(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, small...)
	c := copyOf(t, server.Client(t), Options{Kinds: []string{"contacts"}})
	require.NoError(t, c.Sync(t.Context()))
	server.Inject(practicetest.Fault{Operation: "listContacts", Status: 403})
	assert.Empty(t, differences(t, c))
	server.Inject(practicetest.Fault{Operation: "listContacts", Status: 400})
	require.Error(t, c.Verify(t.Context(), func(Difference) {}))
}

// The address of the service may change; its records do not.
func TestAnAddressIsComparedWithoutItsHost(t *testing.T) {
	t.Parallel()
	of := func(href string) string { return hashOf(map[string]any{"self": map[string]any{"href": href}}) }
	assert.Equal(t, of("https://api.example.test/v1/fees/A"), of("http://127.0.0.1:8080/v1/fees/a"))
	assert.Equal(t, of("/v1/fees/a"), of("http://127.0.0.1:8080/v1/fees/a"))
	assert.NotEqual(t, of("https://api.example.test/v1/fees/a"), of("https://api.example.test/v1/fees/b"))
	assert.NotEqual(t, of("https://api.example.test/v1/fees?page=1"), of("https://api.example.test/v1/fees?page=2"))
}
