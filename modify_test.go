package practice_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestModifyChangesWhatTheCallerChangesAndKeepsTheRest(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		id := server.AddActivityCode(models.ActivityCodeWrite{
			Code: "ADV", Description: "Advice", Rate: models.MustDecimal("385.50"), TaxExempt: models.Some(true),
			RateType: models.Some(models.ActivityRateTypeOverrideRateForAllStaff),
		})
		before, _ := server.ActivityCode(id)
		link, err := client.ActivityCodes.Modify(t.Context(), id, func(code *models.ActivityCodeWrite) error {
			assert.Equal(t, "Advice", code.Description)
			assert.Empty(t, code.UpdatedByUserID, "an instruction is not taken over")
			code.Code = "ADVICE"
			return nil
		})
		require.NoError(t, err)
		assert.Equal(t, id, link.ID)
		server.Settle()
		after, _ := server.ActivityCode(id)
		before.Code, before.VersionID = "ADVICE", after.VersionID
		assert.Equal(t, before, after)
	})
}

// TestWhatReplacesARecordHasAModify checks that each operation that replaces a
// readable record has a Modify method.
func TestWhatReplacesARecordHasAModify(t *testing.T) {
	t.Parallel()
	document, err := description.Load(os.DirFS("api"))
	require.NoError(t, err)
	all, problems := document.Conversions()
	require.Empty(t, problems)
	for _, c := range all {
		o := c.Operation
		service, there := reflect.TypeFor[practice.Client]().FieldByName(o.Area.Name)
		require.True(t, there, o.Area.Name)
		_, there = service.Type.MethodByName(o.ModifyMethod())
		assert.True(t, there, "%s.%s has no %s beside it: CONTRIBUTING, How to add an operation", o.Area.Name, o.Method, o.ModifyMethod())
	}
}

// TestEveryModifyKeepsTheRecord checks that a Modify without changes leaves the
// record as it is, except for its version and its times.
func TestEveryModifyKeepsTheRecord(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		read   func(context.Context, *practice.Client, practicetest.Firm) (any, error)
		modify func(context.Context, *practice.Client, practicetest.Firm) error
	}{
		"ActivityCodes": {
			func(ctx context.Context, c *practice.Client, f practicetest.Firm) (any, error) {
				return c.ActivityCodes.Get(ctx, f.ActivityCodeID)
			},
			func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return testkit.Discard(c.ActivityCodes.Modify(ctx, f.ActivityCodeID, asItIs[models.ActivityCodeWrite]))
			},
		},
		"Fees": {
			func(ctx context.Context, c *practice.Client, f practicetest.Firm) (any, error) {
				return c.Fees.Get(ctx, f.MatterID, f.FeeID)
			},
			func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return testkit.Discard(c.Fees.Modify(ctx, f.MatterID, f.FeeID, asItIs[models.FeeWrite]))
			},
		},
		"Expenses": {
			func(ctx context.Context, c *practice.Client, f practicetest.Firm) (any, error) {
				return c.Expenses.Get(ctx, f.MatterID, f.ExpenseID)
			},
			func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return testkit.Discard(c.Expenses.Modify(ctx, f.MatterID, f.ExpenseID, asItIs[models.ExpenseWrite]))
			},
		},
		"Events": {
			func(ctx context.Context, c *practice.Client, f practicetest.Firm) (any, error) {
				return c.Events.Get(ctx, f.EventID)
			},
			func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return testkit.Discard(c.Events.Modify(ctx, f.EventID, asItIs[models.CalendarEventWrite]))
			},
		},
		"Files": {
			func(ctx context.Context, c *practice.Client, f practicetest.Firm) (any, error) {
				return c.Documents.GetFile(ctx, f.MatterID, f.FileID)
			},
			func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return testkit.Discard(c.Documents.ModifyFile(ctx, f.MatterID, f.FileID, asItIs[models.FileWrite]))
			},
		},
		"Folders": {
			func(ctx context.Context, c *practice.Client, f practicetest.Firm) (any, error) {
				return c.Documents.ListFolderPath(ctx, f.MatterID, f.SubfolderID, practice.FolderPathListOptions{})
			},
			func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return testkit.Discard(c.Documents.ModifyFolder(ctx, f.MatterID, f.SubfolderID, asItIs[models.FolderWrite]))
			},
		},
		"Groups": {
			func(ctx context.Context, c *practice.Client, f practicetest.Firm) (any, error) {
				return c.Groups.Get(ctx, f.GroupID)
			},
			func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return testkit.Discard(c.Groups.Modify(ctx, f.GroupID, asItIs[models.GroupWrite]))
			},
		},
		"Policies": {
			func(ctx context.Context, c *practice.Client, f practicetest.Firm) (any, error) {
				return c.Policies.Get(ctx, f.PolicyReference)
			},
			func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return testkit.Discard(c.Policies.Modify(ctx, f.PolicyReference, asItIs[models.PolicyWrite]))
			},
		},
		"Firm": {
			func(ctx context.Context, c *practice.Client, _ practicetest.Firm) (any, error) {
				return c.Firm.Get(ctx)
			},
			func(ctx context.Context, c *practice.Client, _ practicetest.Firm) error {
				return testkit.Discard(c.Firm.Modify(ctx, asItIs[models.FirmWrite]))
			},
		},
		"Staff": {
			func(ctx context.Context, c *practice.Client, f practicetest.Firm) (any, error) {
				return c.Staff.Get(ctx, f.StaffID)
			},
			func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return testkit.Discard(c.Staff.Modify(ctx, f.StaffID, asItIs[models.StaffMemberWrite]))
			},
		},
		"Contacts": {
			func(ctx context.Context, c *practice.Client, f practicetest.Firm) (any, error) {
				return c.Contacts.Get(ctx, f.ContactID)
			},
			func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return testkit.Discard(c.Contacts.Modify(ctx, f.ContactID, asItIs[models.ContactWrite], practice.WithLoss("person.identificationDetails")))
			},
		},
		"Relationships": {
			func(ctx context.Context, c *practice.Client, f practicetest.Firm) (any, error) {
				return c.Roles.GetRelationship(ctx, f.MatterID, f.RoleID, f.RelationshipID)
			},
			func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return testkit.Discard(c.Roles.ModifyRelationship(ctx, f.MatterID, f.RoleID, f.RelationshipID, asItIs[models.RelationshipWrite],
					practice.WithLoss("displayName", "isMatterItemRequired")))
			},
		},
		"Plugins": {
			func(ctx context.Context, c *practice.Client, f practicetest.Firm) (any, error) {
				return c.Plugins.Get(ctx, f.PluginID)
			},
			func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return testkit.Discard(c.Plugins.Modify(ctx, f.PluginID, asItIs[models.PluginWrite]))
			},
		},
		"Firm users": {
			func(ctx context.Context, c *practice.Client, f practicetest.Firm) (any, error) {
				return c.Firm.GetUser(ctx, f.UserID)
			},
			func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return testkit.Discard(c.Firm.ModifyUser(ctx, f.UserID, asItIs[models.FirmUserWrite]))
			},
		},
		"Webhooks": {
			func(ctx context.Context, c *practice.Client, f practicetest.Firm) (any, error) {
				return c.Webhooks.Get(ctx, f.WebhookID)
			},
			func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return testkit.Discard(c.Webhooks.Modify(ctx, f.WebhookID, func(w *models.WebhookSubscriptionWrite) error {
					w.Key = models.Null[models.Secret]()
					return nil
				}))
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				firm := server.Firm()
				before, err := test.read(t.Context(), client, firm)
				require.NoError(t, err)
				require.NoError(t, test.modify(t.Context(), client, firm))
				server.Settle()
				after, err := test.read(t.Context(), client, firm)
				require.NoError(t, err)
				assert.Equal(t, withoutStamps(t, before), withoutStamps(t, after))
			})
		})
	}
}

func asItIs[W any](*W) error { return nil }

// withoutStamps returns the members of a record except those that change with
// each write.
func withoutStamps(t *testing.T, record any) map[string]any {
	t.Helper()
	text, err := json.Marshal(record)
	require.NoError(t, err)
	var members map[string]any
	require.NoError(t, json.Unmarshal(text, &members))
	for _, name := range []string{"versionId", "lastUpdated", "updatedByUserId", "lastUpdatedByUserId", "lastUpdatedDate", "updatedDateUtc", "dateModified"} {
		delete(members, name)
	}
	withoutNulls(members)
	return members
}

// withoutNulls removes the null members of a free-form object.
func withoutNulls(members map[string]any) {
	for name, value := range members {
		if object, is := value.(map[string]any); is {
			withoutNulls(object)
		} else if value == nil {
			delete(members, name)
		}
	}
}

func TestModifyNoticesWhoWasFaster(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		id := server.Firm().ActivityCodeID
		_, err := client.ActivityCodes.Modify(t.Context(), id, func(code *models.ActivityCodeWrite) error {
			_, err := client.ActivityCodes.Update(t.Context(), id, models.ActivityCodeWrite{Code: "FASTER"})
			server.Settle()
			code.Code = "SLOWER"
			return err
		})
		require.ErrorIs(t, err, practice.ErrChangedMeanwhile)
		assert.EqualError(t, err, "practice: ActivityCodes.Modify: the record changed after it was read")
		server.Settle()
		code, _ := server.ActivityCode(id)
		assert.Equal(t, "FASTER", code.Code)
	})
}

func TestModifyLosesNothingUnlessToldTo(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		id := server.Firm().WebhookID
		rename := func(w *models.WebhookSubscriptionWrite) error { w.Name = "renamed"; return nil }
		server.ResetRequests()
		_, err := client.Webhooks.Modify(t.Context(), id, rename)
		refused, is := errors.AsType[*practice.ModifyError](err)
		require.True(t, is, "%v", err)
		require.ErrorIs(t, err, practice.ErrWouldBeLost)
		assert.Equal(t, []string{"key"}, refused.Members)
		assert.EqualError(t, err, "practice: Webhooks.Modify: the write would lose members: key (set them, or allow the loss with WithLoss)")
		assert.Len(t, server.Requests(), 1, "nothing was written")

		_, err = client.Webhooks.Modify(t.Context(), id, func(w *models.WebhookSubscriptionWrite) error {
			w.Key = models.Some(models.NewSecret("a-new-key-of-ones-own"))
			return rename(w)
		})
		require.NoError(t, err, "it is set")
		_, err = client.Webhooks.Modify(t.Context(), id, rename, practice.WithLoss("key"))
		require.NoError(t, err, "it is lost as the error advises: the service must be sent a null")
		requests := server.Requests()
		assert.Contains(t, string(requests[len(requests)-1].Body), `"key":null`)
		for name, err := range map[string]error{
			"another member": testkit.Discard(client.Webhooks.Modify(t.Context(), id, rename, practice.WithLoss("name"))),
			"no name":        testkit.Discard(client.Webhooks.Modify(t.Context(), id, rename, practice.WithLoss(""))),
			"another method": testkit.Discard(client.Webhooks.Get(t.Context(), id, practice.WithLoss("key"))),
		} {
			assert.Error(t, err, name)
		}
	})
}

// TestModifyLosesNoMemberThatItDoesNotKnow checks members of a newer service:
// the library does not know whether a replacement would clear them.
func TestModifyLosesNoMemberThatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
		firm := server.Firm()
		client := server.Client(t, practice.WithMiddleware(newerService(t)))
		modify := func(opts ...practice.CallOption) error {
			server.ResetRequests()
			return testkit.Discard(client.Webhooks.Modify(t.Context(), firm.WebhookID, func(w *models.WebhookSubscriptionWrite) error {
				w.Name = "renamed"
				return nil
			}, opts...))
		}
		for allowed, test := range map[string]struct{ members, unknown, text string }{
			"": {"key retries", "retries", "key (set them, or allow the loss with WithLoss): " +
				"retries, which this version of the library does not know (allow the loss with WithLoss, or write the record with Client.Do)"},
			"key": {"retries", "retries", "retries, which this version of the library does not know (allow the loss with WithLoss, or write the record with Client.Do)"},
			"*":   {"key", "", "key (set them, or allow the loss with WithLoss)"},
		} {
			err := modify(practice.WithLoss(strings.Fields(allowed)...))
			refused, is := errors.AsType[*practice.ModifyError](err)
			require.True(t, is, "%v", err)
			require.ErrorIs(t, err, practice.ErrWouldBeLost)
			assert.Equal(t, test.members, strings.Join(refused.Members, " "), allowed)
			assert.Equal(t, test.unknown, strings.Join(refused.Unknown, " "), allowed)
			assert.EqualError(t, err, "practice: Webhooks.Modify: the write would lose members: "+test.text)
			assert.Len(t, server.Requests(), 1, "nothing was written")
		}
		_, err := client.Fees.Modify(t.Context(), firm.MatterID, firm.FeeID, asItIs[models.FeeWrite])
		require.ErrorIs(t, err, practice.ErrWouldBeLost)
		_, err = client.Fees.Modify(t.Context(), firm.MatterID, firm.FeeID, asItIs[models.FeeWrite], practice.WithLoss("retries"))
		require.NoError(t, err)
		_, err = client.Fees.Modify(t.Context(), firm.MatterID, firm.FeeID, asItIs[models.FeeWrite], practice.WithLoss(practice.UnknownMembers))
		require.NoError(t, err)
	})
}

// newerService returns a middleware that adds an unknown member to every
// record.
func newerService(t *testing.T) func(http.RoundTripper) http.RoundTripper {
	return func(next http.RoundTripper) http.RoundTripper {
		return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			resp, err := next.RoundTrip(req)
			if err != nil || req.Method != http.MethodGet {
				return resp, err
			}
			body, err := io.ReadAll(resp.Body)
			require.NoError(t, err)
			record := `{"retries": {"most": 12.50},` + strings.TrimPrefix(string(body), "{")
			resp.Body, resp.ContentLength = io.NopCloser(strings.NewReader(record)), int64(len(record))
			return resp, nil
		})
	}
}

func TestModifyEndsWithTheErrorOfWhatItCalls(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		id, own := server.Firm().ActivityCodeID, errors.New("of the caller")
		server.ResetRequests()
		_, err := client.ActivityCodes.Modify(t.Context(), id, func(*models.ActivityCodeWrite) error { return own })
		require.ErrorIs(t, err, own)
		_, err = client.ActivityCodes.Modify(t.Context(), testkit.UnknownID, asItIs[models.ActivityCodeWrite])
		require.ErrorIs(t, err, practice.ErrNotFound)
		_, err = client.ActivityCodes.Modify(t.Context(), id, nil)
		_, is := errors.AsType[*practice.ArgumentError](err)
		require.True(t, is, "%v", err)
		_, err = client.ActivityCodes.Modify(t.Context(), id, asItIs[models.ActivityCodeWrite], nil)
		require.Error(t, err)
		for _, request := range server.Requests() {
			assert.Equal(t, "GET", request.Method, "nothing was written")
		}
		server.Tolerate(func() {
			_, err = client.ActivityCodes.Modify(t.Context(), id, func(code *models.ActivityCodeWrite) error {
				code.TaxOutOfScope, code.TaxExempt = models.Some(true), models.Some(true)
				return nil
			})
		})
		assert.ErrorIs(t, err, practice.ErrBadRequest)
	})
}

func TestModifyIsToldAsOneCallAndGivesTheWriteItsOptions(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
		var told []string
		client := server.Client(t, practice.WithObserver(func(_ context.Context, o practice.Observation) { told = append(told, o.Operation) }))
		const requestID = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff"
		server.ResetRequests()
		var response practice.Response
		_, err := client.ActivityCodes.Modify(t.Context(), server.Firm().ActivityCodeID, asItIs[models.ActivityCodeWrite],
			practice.WithRequestID(requestID), practice.WithResponse(&response), practice.WithUserID(server.Credentials().UserID))
		require.NoError(t, err)
		assert.Equal(t, []string{"ActivityCodes.Get", "ActivityCodes.Update", "ActivityCodes.Modify"}, slices.Compact(told))
		assert.Equal(t, 202, response.StatusCode)
		requests := server.Requests()
		for i, request := range requests {
			assert.Equal(t, i == len(requests)-1, request.Header.Get("RequestId") == requestID, "the id is that of the write")
			assert.Equal(t, server.Credentials().UserID, request.Header.Get("UserId"))
		}
	})
}

func TestModifyOfARoleKeepsWhoFillsIt(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		matter, id := server.Firm().MatterID, server.Firm().RoleID
		before, err := client.Roles.Get(t.Context(), matter, id)
		require.NoError(t, err)
		allowed := practice.WithLoss("displayName", "isMatterItemRequired", "relationships.displayName", "relationships.isMatterItemRequired")
		_, err = client.Roles.Modify(t.Context(), matter, id, asItIs[models.RoleWrite], allowed)
		refused, is := errors.AsType[*practice.ModifyError](err)
		require.True(t, is, "%v", err)
		assert.Equal(t, []string{"relationships.contactId"}, refused.Members, "a link to the own firm has an address only")

		_, err = client.Roles.Modify(t.Context(), matter, id, func(role *models.RoleWrite) error {
			role.Relationships[1].ContactID = "MyFirm"
			return nil
		}, allowed)
		require.NoError(t, err)
		server.Settle()
		after, err := client.Roles.Get(t.Context(), matter, id)
		require.NoError(t, err)
		require.Len(t, after.Relationships, len(before.Relationships))
		for i := range after.Relationships {
			assert.Equal(t, before.Relationships[i].Name, after.Relationships[i].Name)
			assert.Equal(t, before.Relationships[i].Representatives, after.Relationships[i].Representatives)
		}
		assert.Equal(t, before.Relationships[0].Contact.ID, after.Relationships[0].Contact.ID)
		assert.Equal(t, "MyFirm", after.Relationships[1].Contact.ID)
	})
}
