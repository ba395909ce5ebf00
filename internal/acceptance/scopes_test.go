package acceptance_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestA403NamesTheScopeThatItsOperationNeeds(t *testing.T) {
	t.Parallel()
	forEveryOperation(t, func(r *operationRow, server *practicetest.Server) {
		server.Inject(practicetest.Fault{Operation: r.op.ID, Status: 403})
		err := r.op.Call(r.Context(), server.Client(r), server.Firm())
		server.ClearFaults()
		refused, ok := errors.AsType[*practice.Error](err)
		require.True(r, ok, "%v", err)
		assert.Equal(r, strings.Fields(r.described.Scope), append([]string{}, refused.Scopes...))
		if r.described.Scope != "" {
			assert.ErrorContains(r, err, "requires the scope "+r.described.Scope)
			scopes, err := practice.Scopes(r.described.HTTPMethod + " " + r.described.Path)
			require.NoError(r, err)
			assert.ElementsMatch(r, strings.Fields(r.described.Scope), scopes)
		}
	})
}

// TestA403NamesTheGrantThatItsOperationNeeds checks that the error names a
// missing grant and not only a missing scope.
func TestA403NamesTheGrantThatItsOperationNeeds(t *testing.T) {
	t.Parallel()
	forEveryOperation(t, func(r *operationRow, server *practicetest.Server) {
		for _, status := range []int{400, 403} {
			server.Inject(practicetest.Fault{Operation: r.op.ID, Status: status})
			err := r.op.Call(r.Context(), server.Client(r), server.Firm())
			server.ClearFaults()
			require.Error(r, err)
			grant := r.described.Grant
			told := grant != nil && grant.Refusal == 403 && status == 403
			for needs, text := range map[string]string{
				description.ActingUser:        "; requires a user, set by the access token or the UserId header",
				description.ClientCredentials: "; requires a token from the client credentials grant",
			} {
				assert.Equal(r, told && grant.Needs == needs, strings.Contains(err.Error(), text), "%v", err)
			}
			if told && grant.Parameter != "" {
				assert.ErrorContains(r, err, " when "+grant.Parameter+" is "+grant.Value)
			}
		}
	})
}

func TestScopesAreListedOnce(t *testing.T) {
	t.Parallel()
	scopes, err := practice.Scopes("GET /staff/{id}", "DELETE /staff/{id}", "GET /staff/{id}")
	require.NoError(t, err)
	assert.Equal(t, []string{"staff/read", "staff/write"}, scopes)
	for _, unknown := range []string{"", "GET", "GET /nowhere", "get /staff/{id}", "/staff/{id}", "GET /staff/{id}: staff/read"} {
		_, err := practice.Scopes("GET /staff/{id}", unknown)
		assert.ErrorAs(t, err, new(*practice.ArgumentError), unknown)
	}
}

const chosenID = "c0000000-0000-4000-8000-000000000001"

func TestARecordWithAChosenIDIsFoundAfterALostAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		client, ctx := server.Client(t), t.Context()
		server.Inject(practicetest.Fault{Operation: "createWebhook", Kind: practicetest.FaultResetAfter})
		err := testkit.Discard(client.Webhooks.Create(ctx, testkit.SubscriptionOf("matter.created"), practice.WithResourceID(chosenID), practice.WithExternalID("own-1")))
		require.ErrorAs(t, err, new(*practice.AmbiguousWriteError))
		sent := testkit.RequestsTo(server, practicetest.PartAPI)
		require.Len(t, sent, 1, "it is not repeated")
		assert.Equal(t, chosenID, sent[0].Header.Get("ResourceId"))
		assert.Equal(t, "own-1", sent[0].Header.Get("ExternalId"))
		id, ok := server.IDOfExternal("own-1")
		assert.True(t, ok)
		assert.Equal(t, chosenID, id)
		found, err := client.Webhooks.Get(ctx, chosenID)
		require.NoError(t, err)
		assert.Equal(t, chosenID, found.ID)
		require.ErrorIs(t, testkit.Discard(client.Webhooks.Create(ctx, testkit.SubscriptionOf("matter.created"), practice.WithResourceID(chosenID))), practice.ErrConflict)
	})
}

func TestAChosenIDIsForCreates(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		client, ctx, firm := server.Client(t), t.Context(), server.Firm()
		for _, option := range []practice.CallOption{practice.WithResourceID(chosenID), practice.WithExternalID("own-1")} {
			for _, err := range []error{
				testkit.Discard(client.Staff.Get(ctx, firm.StaffID, option)),
				testkit.Discard(client.Fees.Patch(ctx, firm.MatterID, firm.FeeID, models.FeePatch{}, option)),
				testkit.Discard(practice.Collect(client.Webhooks.All(ctx, practice.WebhookSubscriptionListOptions{}, option))),
				testkit.Discard(client.Documents.EnsureFolder(ctx, firm.MatterID, models.FolderWrite{Name: "a"}, practice.EnsureFolderOptions{}, option)),
			} {
				assert.ErrorAs(t, err, new(*practice.ArgumentError))
			}
		}
		for setting, options := range map[string][]practice.CallOption{
			"WithResourceID": {practice.WithResourceID(""), practice.WithResourceID("1")},
			"WithExternalID": {practice.WithExternalID(""), practice.WithExternalID("a\nb")},
			"WithHeader":     {practice.WithHeader("resourceid", chosenID)},
		} {
			for _, option := range options {
				refused, ok := errors.AsType[*practice.ConfigError](testkit.Discard(client.Webhooks.Create(ctx, testkit.SubscriptionOf("matter.created"), option)))
				if assert.True(t, ok) {
					assert.Equal(t, setting, refused.Setting)
				}
			}
		}
		assert.Empty(t, server.Requests())

		stored, err := client.Documents.Upload(ctx, firm.MatterID, practice.Upload{Name: "a.txt", Body: strings.NewReader("text")}, practice.WithResourceID(chosenID))
		require.NoError(t, err)
		assert.Equal(t, chosenID, stored.ID)
	})
}
