package conformance_test

import (
	"encoding/json"
	"reflect"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/internal/operations/variants"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// walk follows the pages of every paged list.
func (b *bench) walk(t *testing.T) {
	server := service(t)
	client, firm := b.client(t, server), server.Firm()
	crowd(t, server)
	server.ResetRequests()

	events, err := practice.Collect(client.Events.All(t.Context(), practice.EventListOptions{ListOptions: practice.ListOptions{Limit: 7}, From: from.AddDate(-1, 0, 0)}, practice.WithPrefetch(2)))
	require.NoError(t, err)
	assert.Len(t, events, 30)
	promotions, err := practice.Collect(client.Subscriptions.AllPromotions(t.Context(), practice.PromotionListOptions{ListOptions: practice.ListOptions{Limit: 5}}))
	require.NoError(t, err)
	assert.Len(t, promotions, 12)
	subscriptions, err := practice.Collect(client.Webhooks.All(t.Context(), practice.WebhookSubscriptionListOptions{ListOptions: practice.ListOptions{Limit: 2}}))
	require.NoError(t, err)
	assert.Len(t, subscriptions, 5)
	relations, err := practice.Collect(client.Contacts.AllRelations(t.Context(), firm.ContactID, practice.ContactRelationListOptions{}, practice.WithQuery("Limit", "1")))
	require.NoError(t, err)
	assert.Len(t, relations, 5)
	entries, err := practice.Collect(client.Documents.AllEntries(t.Context(), firm.MatterID, firm.FolderID))
	require.NoError(t, err)
	assert.Greater(t, len(entries), practice.MaxPageSize)
	root, err := practice.Collect(client.Documents.AllEntries(t.Context(), firm.MatterID, ""))
	require.NoError(t, err)
	assert.NotEmpty(t, root)

	groups, err := practice.Collect(client.Groups.All(t.Context(), practice.GroupListOptions{}))
	require.NoError(t, err)
	assert.Greater(t, len(groups), practice.MaxPageSize)
	charges, err := practice.Collect(client.Subscriptions.AllCharges(t.Context(), firm.SubscriptionID, practice.UsageChargeListOptions{ListOptions: practice.ListOptions{Limit: 1}}))
	require.NoError(t, err)
	assert.Len(t, charges, 2)
	methods, err := practice.Collect(client.Subscriptions.AllPaymentMethods(t.Context(), firm.SubscriptionID, practice.PaymentMethodListOptions{ListOptions: practice.ListOptions{Limit: 1}}))
	require.NoError(t, err)
	assert.Len(t, methods, 2)

	pages := map[string]int{}
	for _, call := range server.Requests() {
		pages[call.Operation]++
	}
	for _, id := range []string{"listEvents", "listPromotions", "listWebhooks", "listContactRelations", "getFolder", "listGroups"} {
		assert.Greater(t, pages[id], 1, "%s has one page", id)
	}
}

// firstPage requests one record from every list with a limit, to validate the
// link to the next page.
func (b *bench) firstPage(t *testing.T) {
	server := service(t)
	client, described := b.client(t, server), descriptions(t)
	for _, op := range operations.All() {
		as := described.Operation(op.ID)
		if as.Paging == nil || as.Paging.Limit == "" {
			continue
		}
		arguments := variants.Least(op, as, server.Firm())
		for i, argument := range arguments {
			options := reflect.New(reflect.TypeOf(argument)).Elem()
			options.Set(reflect.ValueOf(argument))
			if options.Kind() != reflect.Struct || !options.FieldByName("Limit").IsValid() {
				continue
			}
			options.FieldByName("Limit").SetInt(1)
			arguments[i] = options.Interface()
		}
		require.NoError(t, op.CallWith(t.Context(), client, arguments), op.Name)
	}
}

// crowd adds records, so that the lists of a service have more than one page.
func crowd(t *testing.T, server *practicetest.Server) {
	client, firm := server.Client(t), server.Firm()
	for i := range practice.MaxPageSize {
		require.NoError(t, discard(client.Documents.CreateFolder(t.Context(), firm.MatterID, models.FolderWrite{
			Name: "Folder " + strconv.Itoa(i), ParentFolderID: firm.FolderID,
		})))
		require.NoError(t, discard(client.Groups.Create(t.Context(), models.GroupCreate{Name: "Group " + strconv.Itoa(i)})))
	}
	for range 4 {
		require.NoError(t, discard(client.Webhooks.Create(t.Context(), models.WebhookSubscriptionWrite{
			Name: "Matters", EventTypes: []models.EventType{"matter.updated"}, EventNotificationURL: "https://hooks.example.test/in",
		})))
	}
	for _, other := range firm.ContactIDs[len(firm.ContactIDs)-2:] {
		require.NoError(t, discard(client.Contacts.UpdateRelation(t.Context(), firm.ContactID, other, models.RelationWrite{})))
	}
}

// promotions may be returned as a page, or as the bare array of the
// specification.
func (b *bench) promotions(t *testing.T) {
	for name, bare := range map[string]bool{"a page": false, "a bare array": true} {
		t.Run(name, func(t *testing.T) {
			server := service(t, practicetest.WithBarePromotions(bare))
			page, err := b.client(t, server).Subscriptions.ListPromotions(t.Context(), practice.PromotionListOptions{ListOptions: practice.ListOptions{Offset: 2, Limit: 3}})
			require.NoError(t, err)
			assert.Len(t, page.Items, 3)
			_, sized := page.Size.Get()
			assert.Equal(t, !bare, sized)
		})
	}
}

// changedFiles continues from the cursor of an event.
func (b *bench) changedFiles(t *testing.T) {
	server := service(t)
	client, firm := b.client(t, server), server.Firm()
	require.NoError(t, discard(client.Webhooks.Create(t.Context(), models.WebhookSubscriptionWrite{
		Name: "Files", EventTypes: []models.EventType{"files.updated"}, EventNotificationURL: "https://hooks.example.test/in",
	})))
	for _, id := range []string{firm.FileID, server.AddFile(firm.MatterID, models.FileCreate{FileName: "New.txt"})} {
		require.True(t, server.SetFileContent(id, []byte("new")))
	}
	require.NoError(t, server.Flush(t.Context()))
	var told struct{ Payload struct{ Cursor string } }
	require.NoError(t, json.Unmarshal(server.Deliveries()[0].Body, &told))
	changed, err := practice.Collect(client.Documents.AllFiles(t.Context(), firm.MatterID, practice.FileListOptions{
		ListOptions: practice.ListOptions{Limit: 1}, Cursor: told.Payload.Cursor,
	}))
	require.NoError(t, err)
	assert.Len(t, changed, 2)
}

// deletedFolder reads a deleted folder, and restores it.
func (b *bench) deletedFolder(t *testing.T) {
	server := service(t)
	client, firm := b.client(t, server), server.Firm()
	require.True(t, server.DeleteFolder(firm.FolderID))
	page, err := client.Documents.ListFolder(t.Context(), firm.MatterID, firm.FolderID, practice.FolderListOptions{})
	require.NoError(t, err)
	assert.True(t, page.IsDeleted.Or(false))
	require.NoError(t, discard(client.Documents.RestoreFolder(t.Context(), firm.MatterID, firm.FolderID)))
	page, err = client.Documents.ListFolder(t.Context(), firm.MatterID, firm.FolderID, practice.FolderListOptions{})
	require.NoError(t, err)
	assert.False(t, page.IsDeleted.Or(true))
}

// departedUser removes a user twice. The second time, the service responds at
// once, with a link.
func (b *bench) departedUser(t *testing.T) {
	server := service(t)
	client, firm := b.client(t, server), server.Firm()
	link, err := client.Firm.DeleteUser(t.Context(), firm.UserID)
	require.NoError(t, err)
	assert.Empty(t, link.ID)
	link, err = client.Firm.DeleteUser(t.Context(), firm.StaffID)
	require.NoError(t, err)
	assert.Equal(t, firm.StaffID, link.ID)
}

// addItem sends the items of a matter, which exclude other members of a patch.
func (b *bench) addItem(t *testing.T) {
	server := service(t)
	client, firm := b.client(t, server), server.Firm()
	patch := models.MatterPatch{Items: map[string][]models.MatterItemPatch{
		"Client": {{ContactID: models.Some(firm.ContactID), RoleDescription: models.Some("Co-seller")}},
	}}
	require.NoError(t, discard(client.Matters.Patch(t.Context(), firm.MatterID, patch)))
	items, err := client.Matters.GetItems(t.Context(), firm.MatterID)
	require.NoError(t, err)
	var names []string
	for _, item := range items.Items {
		names = append(names, item.Name)
	}
	assert.Contains(t, names, "Co-seller")
}
