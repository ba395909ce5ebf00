package practice_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestAMatterHasEveryFieldExactly(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		id := server.Firm().MatterID
		m, err := client.Matters.Get(t.Context(), id)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/matters/"+id, "")
		wire := testkit.WireTree(t, testkit.WireText(t, client, "/matters/{matterId}", id)).(map[string]any)
		text, err := json.Marshal(m)
		require.NoError(t, err)
		assert.Equal(t, testkit.Pruned(wire), testkit.Pruned(testkit.WireTree(t, text)))
		assert.Zero(t, m.Extra, "every member has a field")
		assert.Equal(t, "Solicitor", m.Items["Client"][0].SubItems["Solicitor"][0].Name)
	})
}

func TestMattersAreListed(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		for _, test := range []struct {
			rule    string
			options practice.MatterListOptions
			query   string
			ids     []string
		}{
			{"matters, not leads", practice.MatterListOptions{}, "", f.MatterIDs},
			{"states", practice.MatterListOptions{Status: []models.MatterStatus{"Pending", "Closed"}}, "Status=Pending&Status=Closed", []string{f.MatterIDs[2], f.MatterIDs[6]}},
			{"a type", practice.MatterListOptions{MatterTypeID: f.MatterTypeID}, "MatterTypeId=" + f.MatterTypeID, []string{f.MatterIDs[0], f.MatterIDs[7]}},
			{"a text", practice.MatterListOptions{Search: "harbour"}, "Search=harbour", f.MatterIDs[:1]},
			{"a contact", practice.MatterListOptions{ContactID: f.ContactID}, "ContactId=" + f.ContactID, f.MatterIDs[:1]},
		} {
			page, err := client.Matters.List(t.Context(), test.options)
			require.NoError(t, err)
			testkit.AssertSent(t, server, "GET", "/matters", test.query)
			var ids []string
			for _, m := range page.Items {
				ids = append(ids, m.ID)
				assert.Empty(t, m.Tags, "only on request")
				assert.Empty(t, m.Items, "only on request")
			}
			assert.Equal(t, test.ids, ids, test.rule)
		}
		page, err := client.Matters.List(t.Context(), practice.MatterListOptions{Type: models.MatterListTypeLeads})
		require.NoError(t, err)
		require.Len(t, page.Items, 2)
		assert.True(t, page.Items[0].IsLead.Or(false))
		all, err := practice.Collect(client.Matters.All(t.Context(), practice.MatterListOptions{
			ListOptions: practice.ListOptions{Limit: 3}, Type: models.MatterListTypeMattersLeads, Fields: []models.MatterField{"items", "tags"},
		}))
		require.NoError(t, err)
		assert.Len(t, all, 10)
		assert.NotEmpty(t, all[0].Tags)
		assert.NotEmpty(t, all[0].Items)
	}, practicetest.WithMatters(8))
}

func TestAMatterIsOpenedReplacedAndDeleted(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		write := models.MatterWrite{
			MatterTypeID: f.MatterTypeID, ClientIDs: []string{f.ContactID}, OtherSideIDs: []string{f.RelatedContactID},
			Status: models.MatterStatusOpen, Description: "Sale of a garage", PersonResponsibleStaffID: f.StaffID,
		}
		made, err := client.Matters.Create(t.Context(), write)
		require.NoError(t, err)
		server.Settle()
		m, err := client.Matters.Get(t.Context(), made.ID)
		require.NoError(t, err)
		assert.Equal(t, []string{f.ContactID, f.RelatedContactID, f.StaffID}, []string{m.Clients[0].ID, m.OtherSides[0].ID, m.PersonResponsible.ID})
		assert.Contains(t, m.Title, m.Number)

		server.Clock().Advance(time.Second)
		since := server.Clock().Now()
		_, err = client.Matters.Update(t.Context(), made.ID, models.MatterWrite{MatterTypeID: f.MatterTypeID, Status: models.MatterStatusPending})
		require.NoError(t, err)
		server.Settle()
		after, err := client.Matters.Get(t.Context(), made.ID)
		require.NoError(t, err)
		assert.Empty(t, after.Description, "a replacement clears what it leaves out")
		assert.Equal(t, m.Clients, after.Clients, "but not the clients")
		assert.NotEqual(t, m.VersionID, after.VersionID)
		page, err := client.Matters.List(t.Context(), practice.MatterListOptions{UpdatedSince: since})
		require.NoError(t, err)
		require.Len(t, page.Items, 1)

		_, err = client.Matters.Delete(t.Context(), made.ID)
		require.NoError(t, err)
		server.Settle()
		deleted, there := server.Matter(made.ID)
		require.True(t, there)
		assert.Equal(t, models.MatterStatusDeleted, deleted.Status)
	})
}

func TestALeadBecomesAMatterForGood(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		_, err := client.Matters.Patch(t.Context(), f.LeadID, models.MatterPatch{
			IsLead: models.Some(false), MatterTypeID: models.Some(f.MatterTypeID), ClientRole: models.Some("Seller"),
		})
		require.NoError(t, err)
		server.Settle()
		m, err := client.Matters.Get(t.Context(), f.LeadID)
		require.NoError(t, err)
		assert.False(t, m.IsLead.Or(true))
		matters, err := client.Matters.List(t.Context(), practice.MatterListOptions{})
		require.NoError(t, err)
		assert.Equal(t, f.LeadID, matters.Items[len(matters.Items)-1].ID, "it is listed among the matters now")
		_, err = client.Matters.Patch(t.Context(), f.LeadID, models.MatterPatch{IsLead: models.Some(true)})
		require.ErrorIs(t, err, practice.ErrBadRequest)
	})
}

func TestAPatchThatAddsAnItemIsACreate(t *testing.T) {
	t.Parallel()
	item := func(id models.Opt[string]) models.MatterPatch {
		return models.MatterPatch{Items: map[string][]models.MatterItemPatch{"Client": {{ID: id, RoleDescription: models.Some("Co-seller")}}}}
	}
	for name, test := range map[string]struct {
		id        models.Opt[string]
		ambiguous bool
	}{
		"an item without an id":     {models.Opt[string]{}, true},
		"an item whose id is empty": {models.Some(""), true},
		"an item that is there":     {models.Some(testkit.UnknownID), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				server.Inject(practicetest.Fault{Operation: "patchMatter", Status: http.StatusInternalServerError})
				_, err := client.Matters.Patch(t.Context(), server.Firm().MatterID, item(test.id))
				_, ambiguous := errors.AsType[*practice.AmbiguousWriteError](err)
				assert.Equal(t, test.ambiguous, ambiguous, "%v", err)
				server.Inject(practicetest.Fault{Operation: "patchMatter", Status: http.StatusInternalServerError})
				err = client.Call(t.Context(), "patchMatter", map[string]any{"matterId": server.Firm().MatterID}, item(test.id), nil)
				_, ambiguous = errors.AsType[*practice.AmbiguousWriteError](err)
				assert.Equal(t, test.ambiguous, ambiguous, "by name: %v", err)
			})
		})
	}
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		before, err := client.Matters.GetItems(t.Context(), f.MatterID)
		require.NoError(t, err)
		for range 2 {
			_, err = client.Matters.Patch(t.Context(), f.MatterID, item(models.Opt[string]{}))
			require.NoError(t, err)
			server.Settle()
		}
		after, err := client.Matters.GetItems(t.Context(), f.MatterID)
		require.NoError(t, err)
		assert.Len(t, after.Items, len(before.Items)+2, "each call adds one")
		last := slices.IndexFunc(after.Items, func(item models.MatterItem) bool { return item.Name == "Co-seller" })
		require.GreaterOrEqual(t, last, 0)
		one, err := client.Matters.GetItem(t.Context(), f.MatterID, after.Items[last].ID)
		require.NoError(t, err)
		assert.Equal(t, "Co-seller", one.Name)
	})
}

func TestTagsOfMatters(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		_, err := client.Matters.AddTags(t.Context(), f.MatterID, []models.MatterTagWrite{{Name: "Review", Type: models.MatterTagTypeCustom}})
		require.NoError(t, err)
		assert.Equal(t, `[{"name":"Review","type":"Custom"}]`, string(testkit.LastSent(t, server).Body))
		_, err = client.Matters.AddTags(t.Context(), f.MatterIDs[1], []models.MatterTagWrite{{Name: "Review", Color: "Red", Type: models.MatterTagTypeCustom}})
		require.NoError(t, err)
		first, err := client.Matters.ListTags(t.Context(), f.MatterID, practice.MatterTagListOptions{})
		require.NoError(t, err)
		second, err := client.Matters.ListTags(t.Context(), f.MatterIDs[1], practice.MatterTagListOptions{})
		require.NoError(t, err)
		require.Len(t, second.Items, 1)
		assert.Equal(t, "Brown", second.Items[0].Color, "the tag that there is keeps its colour")
		assert.Equal(t, first.Items[len(first.Items)-1].ID, second.Items[0].ID, "one name is one tag")
		_, err = client.Matters.RemoveTag(t.Context(), f.MatterID, second.Items[0].ID)
		require.NoError(t, err)
		server.Settle()
		left, err := client.Matters.ListTags(t.Context(), f.MatterID, practice.MatterTagListOptions{})
		require.NoError(t, err)
		assert.Len(t, left.Items, len(first.Items)-1)
	})
}

func TestDetailsOfAMatter(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		id := server.Firm().MatterID
		_, err := client.Matters.PatchArchive(t.Context(), id, models.MatterArchivePatch{ArchiveBoxNumber: models.Some("77")})
		require.NoError(t, err)
		server.Settle()
		archive, err := client.Matters.GetArchive(t.Context(), id)
		require.NoError(t, err)
		assert.Equal(t, []string{"77", "Cellar"}, []string{archive.ArchiveBoxNumber, archive.ArchivedLocation})
		_, err = client.Matters.UpdateArchive(t.Context(), id, models.MatterArchiveWrite{IsArchived: true})
		require.NoError(t, err)
		server.Settle()
		archive, err = client.Matters.GetArchive(t.Context(), id)
		require.NoError(t, err)
		assert.Empty(t, archive.ArchivedLocation, "a replacement clears what it leaves out")

		_, err = client.Matters.PatchBillingConfiguration(t.Context(), id, models.BillingConfigurationPatch{Amount: models.Some(models.MustDecimal("99.50"))})
		require.NoError(t, err)
		server.Settle()
		bill, err := client.Matters.GetBillingConfiguration(t.Context(), id)
		require.NoError(t, err)
		assert.Equal(t, "99.50", bill.Amount.String())
		require.Len(t, bill.Debtors, 1)
		_, err = client.Matters.UpdateBillingConfiguration(t.Context(), id, models.BillingConfigurationWrite{BillingType: models.Some(models.BillingTypeTimeBased)})
		require.NoError(t, err)
		server.Settle()
		bill, err = client.Matters.GetBillingConfiguration(t.Context(), id)
		require.NoError(t, err)
		assert.Empty(t, bill.Debtors)

		mapping, err := client.Matters.GetSearchMapping(t.Context(), id)
		require.NoError(t, err)
		assert.Contains(t, string(mapping), id)
	})
}

func TestASearchMappingIsJSON(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{"query":`, `{"query":"a"}{`, "Service unavailable"} {
		server := practicetest.New(t)
		server.Stub("GET /matters/{matterId}/integrated-search/mapping", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }))
		mapping, err := server.Client(t).Matters.GetSearchMapping(t.Context(), server.Firm().MatterID)
		_, unread := errors.AsType[*practice.DecodeError](err)
		assert.True(t, unread, "%s: %v", text, err)
		assert.Empty(t, mapping)
	}
}

func TestRefusalsOfMatters(t *testing.T) {
	t.Parallel()
	testkit.AssertRefusals(t, "Matters.AddTags", testkit.Refusal{
		Rule: "a tag for an unknown staff member", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"[0].id: no such staff member"},
		Call: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Matters.AddTags(ctx, f.MatterID, []models.MatterTagWrite{{ID: testkit.UnknownID, Type: models.MatterTagTypeStaff}}))
		},
	})
	testkit.AssertRefusals(t, "Matters.PatchBillingConfiguration", testkit.Refusal{
		Rule: "an unknown debtor", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"debtorIds[0]: no such contact"},
		Call: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Matters.PatchBillingConfiguration(ctx, f.MatterID, models.BillingConfigurationPatch{DebtorIDs: models.Some([]string{testkit.UnknownID})}))
		},
	})
}

// shared returns settings that split the credit for bringing a matter.
func shared(method string, shares ...models.SplitMatterStaffWrite) models.SplitMatterStaffSettingsWrite {
	return models.SplitMatterStaffSettingsWrite{IsEnabled: models.Some(true), SplitMethod: models.Some(models.SplitMethod(method)), SplitMatterStaffs: models.Some(shares)}
}

func TestRefusalsOfNewMatters(t *testing.T) {
	t.Parallel()
	create := func(change func(*models.MatterWrite, practicetest.Firm)) func(context.Context, *practice.Client, practicetest.Firm) error {
		return func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			matter := models.MatterWrite{MatterTypeID: f.MatterTypeID, ClientIDs: []string{f.ContactID}, Status: models.MatterStatusOpen}
			change(&matter, f)
			return testkit.Discard(c.Matters.Create(ctx, matter))
		}
	}
	type wrong struct {
		field  string
		change func(*models.MatterWrite, practicetest.Firm)
	}
	refused := func(conflict bool, all map[string]wrong) {
		for rule, test := range all {
			testkit.AssertRefusals(t, "Matters.Create", testkit.Refusal{Rule: rule, Want: practice.ErrBadRequest, Conflict: conflict, Fields: []string{test.field}, Call: create(test.change)})
		}
	}
	refused(false, map[string]wrong{
		"shares of others than those who brought it": {"splitOriginatingStaffSettings.splitMatterStaffs: must contain each originating staff member exactly once", func(m *models.MatterWrite, f practicetest.Firm) {
			m.OriginatingStaffID = f.StaffID
			m.SplitOriginatingStaffSettings = shared("UseRatio", models.SplitMatterStaffWrite{MatterStaffID: models.Some(f.StaffIDs[3]), MatterStaffRatio: models.Some(10_000)})
		}},
		"shares that are less than all": {"splitOriginatingStaffSettings.splitMatterStaffs: must add up to 10000", func(m *models.MatterWrite, f practicetest.Firm) {
			m.OriginatingStaffID = f.StaffID
			m.SplitOriginatingStaffSettings = shared("UseRatio", models.SplitMatterStaffWrite{MatterStaffID: models.Some(f.StaffID), MatterStaffRatio: models.Some(9_999)})
		}},
		"a rest for somebody else": {"splitOriginatingStaffSettings.remainderStaffId: must be one of splitMatterStaffs", func(m *models.MatterWrite, f practicetest.Firm) {
			m.OriginatingStaffID = f.StaffID
			m.SplitOriginatingStaffSettings = shared("SplitEvenly", models.SplitMatterStaffWrite{MatterStaffID: models.Some(f.StaffID)})
			m.SplitOriginatingStaffSettings.RemainderStaffID = models.Some(f.StaffIDs[3])
		}},
		"a matter without a client": {"clientIds: is required", func(m *models.MatterWrite, _ practicetest.Firm) { m.ClientIDs = nil }},
		"a matter without a type":   {"matterTypeId: is required", func(m *models.MatterWrite, _ practicetest.Firm) { m.MatterTypeID = "" }},
		"a matter without a state":  {"status: is required", func(m *models.MatterWrite, _ practicetest.Firm) { m.Status = "" }},
	})
	refused(true, map[string]wrong{
		"an unknown client":             {"clientIds[0]: no such contact", func(m *models.MatterWrite, _ practicetest.Firm) { m.ClientIDs = []string{testkit.UnknownID} }},
		"an unknown other side":         {"otherSideIds[0]: no such contact", func(m *models.MatterWrite, _ practicetest.Firm) { m.OtherSideIDs = []string{testkit.UnknownID} }},
		"another firm's client":         {"clientIds[0]: no such contact", func(m *models.MatterWrite, f practicetest.Firm) { m.ClientIDs = []string{f.OtherFirmContactID} }},
		"another firm's type":           {"matterTypeId: no such matter type", func(m *models.MatterWrite, f practicetest.Firm) { m.MatterTypeID = f.OtherFirmMatterTypeID }},
		"a lead of a type of matters":   {"matterTypeId: must be a matter type for leads if isLead is true, and otherwise a matter type for matters", func(m *models.MatterWrite, _ practicetest.Firm) { m.IsLead = models.Some(true) }},
		"an unknown referrer":           {"referrerId: no such contact", func(m *models.MatterWrite, _ practicetest.Firm) { m.ReferrerID = testkit.UnknownID }},
		"an unknown responsible person": {"personResponsibleStaffId: no such staff member", func(m *models.MatterWrite, _ practicetest.Firm) { m.PersonResponsibleStaffID = testkit.UnknownID }},
		"another firm's supervisor":     {"supervisorStaffId: no such staff member", func(m *models.MatterWrite, f practicetest.Firm) { m.SupervisorStaffID = f.OtherFirmStaffID }},
		"one of several assisting, unknown": {"personAssistingStaffIds[1]: no such staff member", func(m *models.MatterWrite, f practicetest.Firm) {
			m.PersonAssistingStaffIDs = []string{f.StaffID, testkit.UnknownID}
		}},
	})
	testkit.AssertRefusals(t, "Matters.Create",
		testkit.Refusal{
			Rule: "one role for both sides", Want: practice.ErrBadRequest, Fields: []string{"otherSideRole: must differ from clientRole"},
			Call: create(func(m *models.MatterWrite, _ practicetest.Firm) { m.ClientRole, m.OtherSideRole = "Buyer", "Buyer" }),
		},
		testkit.Refusal{
			Rule: "an assisting person twice", Want: practice.ErrBadRequest, Fields: []string{"personAssistingStaffIds: must not contain personAssistingStaffId"},
			Call: create(func(m *models.MatterWrite, f practicetest.Firm) {
				m.PersonAssistingStaffID, m.PersonAssistingStaffIDs = f.StaffID, []string{f.StaffID}
			}),
		},
	)
	convert := func(how func(*models.MatterPatch, practicetest.Firm)) func(context.Context, *practice.Client, practicetest.Firm) error {
		return func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			patch := models.MatterPatch{IsLead: models.Some(false)}
			how(&patch, f)
			return testkit.Discard(c.Matters.Patch(ctx, f.LeadID, patch))
		}
	}
	testkit.AssertRefusals(t, "Matters.Patch",
		testkit.Refusal{
			Rule: "a matter that becomes a lead", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"isLead: must not become true for an existing matter"},
			Call: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return testkit.Discard(c.Matters.Patch(ctx, f.MatterID, models.MatterPatch{IsLead: models.Some(true)}))
			},
		},
		testkit.Refusal{
			Rule: "a lead that becomes a matter without a type", Want: practice.ErrBadRequest, Conflict: true,
			Fields: []string{"matterTypeId: is required when a lead becomes a matter"},
			Call:   convert(func(p *models.MatterPatch, _ practicetest.Firm) { p.ClientRole = models.Some("Seller") }),
		},
		testkit.Refusal{
			Rule: "a lead that becomes a matter without a role of the client", Want: practice.ErrBadRequest, Conflict: true,
			Fields: []string{"clientRole: is required when a lead becomes a matter"},
			Call:   convert(func(p *models.MatterPatch, f practicetest.Firm) { p.MatterTypeID = models.Some(f.MatterTypeID) }),
		},
		testkit.Refusal{
			Rule: "a role of the client for a matter that is no lead", Want: practice.ErrBadRequest, Conflict: true,
			Fields: []string{"clientRole: is allowed only when a lead becomes a matter"},
			Call: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return testkit.Discard(c.Matters.Patch(ctx, f.MatterID, models.MatterPatch{IsLead: models.Some(false), ClientRole: models.Some("Seller")}))
			},
		},
	)
}
