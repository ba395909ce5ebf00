package practice_test

import (
	"context"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestStaffMembersHaveEveryField(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		for _, id := range server.Firm().StaffIDs {
			m, err := client.Staff.Get(t.Context(), id)
			require.NoError(t, err)
			testkit.AssertSent(t, server, "GET", "/staff/"+id, "")
			assert.Equal(t, id, m.ID)
			testkit.AssertRecord(t, testkit.WireTree(t, testkit.WireText(t, client, "/staff/{id}", id)), map[string]any{
				"id": m.ID, "href": m.Href, "relation": m.Relation, "method": m.Method, "self": m.Self, "versionId": m.VersionID,
				"title": m.Title, "firstName": m.FirstName, "middleName": m.MiddleName, "lastName": m.LastName, "initials": m.Initials,
				"phone": m.Phone, "cell": m.Cell, "email": m.Email, "role": m.Role, "rate": m.Rate, "avatar": m.Avatar,
				"former": m.Former, "enabled": m.Enabled, "userId": m.UserID, "colorFill": m.ColorFill, "colorStroke": m.ColorStroke,
				"licenceNumbers": m.LicenceNumbers, "outOfOffice": m.OutOfOffice,
			})
			if !m.Enabled.Or(true) {
				assert.Empty(t, m.UserID, "only who is enabled is a user")
			}
		}
	})
}

func TestAStaffMemberWithoutDetails(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		m, err := client.Staff.Get(t.Context(), server.Firm().StaffIDs[2])
		require.NoError(t, err)
		assert.NotEmpty(t, m.LastName)
		assert.False(t, m.Rate.IsPresent(), "a missing rate is not zero")
		assert.Equal(t, models.Phone{}, m.Cell, "an empty object reads as nothing")
		assert.NotEmpty(t, m.Phone.Number)
		assert.True(t, m.OutOfOffice.StartDate.IsZero())
		assert.Empty(t, m.LicenceNumbers)
	})
}

func TestDeletingAStaffMemberTakesTheirAccess(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		id := server.Firm().StaffID
		before, err := client.Staff.Get(t.Context(), id)
		require.NoError(t, err)
		asUser := server.Client(t, testkit.ClientCredentials(server), practice.WithUserID(before.UserID))
		require.NoError(t, testkit.Discard(asUser.Staff.Get(t.Context(), id)))

		link, err := client.Staff.Delete(t.Context(), id)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "DELETE", "/staff/"+id, "")
		assert.Empty(t, testkit.LastSent(t, server).Body)
		assert.Equal(t, 202, testkit.LastSent(t, server).Status)
		assert.Equal(t, id, link.TargetID())

		soon, err := client.Staff.Get(t.Context(), id)
		require.NoError(t, err)
		assert.Equal(t, before, soon, "the write is only queued")

		server.Settle()
		var after models.StaffMember
		require.NoError(t, client.Follow(t.Context(), *link, &after))
		assert.True(t, after.Former.Or(false))
		assert.False(t, after.Enabled.Or(true))
		assert.Empty(t, after.UserID)
		assert.NotZero(t, before.OutOfOffice)
		assert.Zero(t, after.OutOfOffice)
		assert.NotEqual(t, before.VersionID, after.VersionID)
		assert.Equal(t, before.LastName, after.LastName)
		require.ErrorIs(t, testkit.Discard(asUser.Staff.Get(t.Context(), id)), practice.ErrUnauthorized, "the user has no access any more")
	})
}

func TestADelayedDeletionTakesEffectByItself(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		id := server.Firm().StaffID
		require.NoError(t, testkit.Discard(client.Staff.Delete(t.Context(), id)))
		server.Clock().Advance(time.Minute - time.Second)
		m, err := client.Staff.Get(t.Context(), id)
		require.NoError(t, err)
		assert.False(t, m.Former.Or(true))
		server.Clock().Advance(time.Second)
		m, err = client.Staff.Get(t.Context(), id)
		require.NoError(t, err)
		assert.True(t, m.Former.Or(false))
	}, practicetest.WithWriteDelay(time.Minute))
}

func TestADeletionThatFailsLaterChangesNothing(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		server.FailWrite("deleteStaff", "The member has open matters.")
		require.NoError(t, testkit.Discard(client.Staff.Delete(t.Context(), server.Firm().StaffID)), "it was accepted")
		server.Settle()
		m, err := client.Staff.Get(t.Context(), server.Firm().StaffID)
		require.NoError(t, err)
		assert.True(t, m.Enabled.Or(false))
	})
}

func TestStaffAreListedWithTheirRatesOnRequest(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		all, err := practice.Collect(client.Staff.All(t.Context(), practice.StaffListOptions{ListOptions: practice.ListOptions{Limit: 4}}))
		require.NoError(t, err)
		var ids []string
		for _, m := range all {
			ids = append(ids, m.ID)
			assert.False(t, m.Rate.IsPresent(), "missing is not empty: nobody asked for it")
		}
		assert.Equal(t, server.Firm().StaffIDs, ids, "former ones too")

		page, err := client.Staff.List(t.Context(), practice.StaffListOptions{Fields: []models.StaffField{models.StaffFieldRate}})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/staff", "Fields=rate")
		alone, err := client.Staff.Get(t.Context(), ids[1])
		require.NoError(t, err)
		assert.Equal(t, *alone, page.Items[1], "the list has the whole record now")
		assert.True(t, alone.Rate.IsPresent())
	})
}

func TestStaffAreSearchedByNameAndAddress(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		wanted, err := client.Staff.Get(t.Context(), server.Firm().StaffID)
		require.NoError(t, err)
		page, err := client.Staff.List(t.Context(), practice.StaffListOptions{Search: []string{wanted.Email, "no such & text"}})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/staff", "Search="+url.QueryEscape(wanted.Email)+"&Search=no+such+%26+text")
		require.NotEmpty(t, page.Items)
		for _, m := range page.Items {
			assert.Equal(t, wanted.Email, m.Email)
		}
	})
}

func TestAStaffMemberIsCreatedAndReplaced(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		link, err := client.Staff.Create(t.Context(), models.StaffMemberWrite{FirstName: "Ada", LastName: "Example", Email: "ada@firm.example.test", Phone: models.PhoneWrite{AreaCode: "02", Number: "5550 1000"}})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "POST", "/staff", "")
		assert.Equal(t, 202, testkit.LastSent(t, server).Status)
		server.Settle()
		created, err := client.Staff.Get(t.Context(), link.TargetID())
		require.NoError(t, err)
		assert.Equal(t, "ada@firm.example.test", created.Email)
		assert.Equal(t, "5550 1000", created.Phone.Number)
		assert.False(t, created.Enabled.Or(true), "nobody gave access")
		assert.False(t, created.Former.Or(true))

		_, err = client.Staff.Update(t.Context(), link.TargetID(), models.StaffMemberWrite{FirstName: "Ada", LastName: "Sample"})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "PUT", "/staff/"+link.TargetID(), "")
		server.Settle()
		replaced, err := client.Staff.Get(t.Context(), link.TargetID())
		require.NoError(t, err)
		assert.Equal(t, "Sample", replaced.LastName)
		assert.Empty(t, replaced.Email, "a replacement clears what it leaves out")
		assert.NotEqual(t, created.VersionID, replaced.VersionID)
	})
}

func TestAStaffMemberWhoLeavesKeepsTheRateAndLosesAccess(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		id := server.Firm().StaffID
		before, err := client.Staff.Get(t.Context(), id)
		require.NoError(t, err)
		update := models.StaffMemberWrite{FirstName: before.FirstName, LastName: before.LastName}
		_, err = client.Staff.Update(t.Context(), id, update)
		require.NoError(t, err)
		server.Settle()
		kept, err := client.Staff.Get(t.Context(), id)
		require.NoError(t, err)
		assert.Equal(t, before.UserID, kept.UserID, "an empty user is ignored")
		assert.Equal(t, before.Rate.String(), kept.Rate.String(), "the rate cannot be written")

		update.Former = models.Some(true)
		_, err = client.Staff.Update(t.Context(), id, update)
		require.NoError(t, err)
		server.Settle()
		former, err := client.Staff.Get(t.Context(), id)
		require.NoError(t, err)
		assert.True(t, former.Former.Or(false))
		assert.False(t, former.Enabled.Or(true))
		assert.Empty(t, former.UserID)
	})
}

func TestRefusalsOfStaff(t *testing.T) {
	t.Parallel()
	testkit.AssertRefusals(t, "Staff.Create", testkit.Refusal{
		Rule: "create: a tie to an unknown user", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"userId: no such user"},
		Call: func(ctx context.Context, c *practice.Client, _ practicetest.Firm) error {
			return testkit.Discard(c.Staff.Create(ctx, models.StaffMemberWrite{UserID: testkit.UnknownID}))
		},
	})
}
