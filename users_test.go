package practice_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestAUserHasEveryField(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		id := server.Firm().UserID
		u, err := client.Users.Get(t.Context(), id)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/users/"+id, "")
		testkit.AssertRecord(t, testkit.WireTree(t, testkit.WireText(t, client, "/users/{id}", id)), map[string]any{
			"id": u.ID, "href": u.Href, "relation": u.Relation, "method": u.Method, "self": u.Self,
			"userId": u.UserID, "email": u.Email, "isInternal": u.IsInternal, "bypassMfa": u.BypassMFA,
		})
	})
}

func TestAUserIsCreated(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		user    models.UserCreate
		body    string
		invited bool
	}{
		{
			"with a password", models.UserCreate{
				Email: "robin@example.test", Password: models.NewSecret("Correct horse 7"), ExpireAfterDays: models.Some(30), BypassMFA: models.Some(true),
			},
			`{"email":"robin@example.test","password":"Correct horse 7","expireAfterDays":30,"bypassMfa":true}`, false,
		},
		{"without one, which goes out by e-mail", models.UserCreate{Email: "robin@example.test"}, `{"email":"robin@example.test"}`, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				link, err := client.Users.Create(t.Context(), test.user)
				require.NoError(t, err)
				assert.Equal(t, test.body, string(testkit.LastSent(t, server).Body))
				_, err = client.Users.Get(t.Context(), link.ID)
				require.ErrorIs(t, err, practice.ErrNotFound, "the write takes effect later")
				server.Settle()
				made, err := client.Users.Get(t.Context(), link.ID)
				require.NoError(t, err)
				assert.Equal(t, []any{"robin@example.test", link.ID, test.user.BypassMFA.Or(false)}, []any{made.Email, made.UserID, made.BypassMFA.Or(true)})
				if assert.Equal(t, test.invited, len(server.Invitations()) == 1) && test.invited {
					assert.Equal(t, link.ID, server.Invitations()[0].UserID)
				}
			})
		})
	}
}

func TestAUserWhoIsRemovedIsAFormerStaffMemberWithoutAccess(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		require.NoError(t, testkit.Discard(client.Users.Delete(t.Context(), f.UserID)))
		server.Settle()
		_, err := client.Users.Get(t.Context(), f.UserID)
		require.ErrorIs(t, err, practice.ErrNotFound)
		member, err := client.Staff.Get(t.Context(), f.StaffID)
		require.NoError(t, err)
		assert.True(t, member.Former.Or(false))
		_, err = server.Client(t, testkit.ClientCredentials(server)).With(practice.WithUserID(f.UserID)).Users.Get(t.Context(), server.Credentials().UserID)
		require.ErrorIs(t, err, practice.ErrUnauthorized)
	})
}

func TestWhoIsInvited(t *testing.T) {
	t.Parallel()
	const newcomer = "newcomer@firm.example.test"
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f, asClient := server.Firm(), server.Client(t, testkit.ClientCredentials(server))
		link, err := client.Users.Invite(t.Context(), f.NewcomerUserID, models.UserInvite{Email: newcomer}, practice.WithRequestID("invite-1"))
		require.NoError(t, err)
		assert.Equal(t, f.NewcomerUserID, link.ID)
		link, err = asClient.Users.Invite(t.Context(), practice.NoUserID, models.UserInvite{Email: newcomer})
		require.NoError(t, err)
		assert.Equal(t, f.NewcomerUserID, link.ID, "the address alone names the user")
		server.Settle()
		require.Len(t, server.Invitations(), 2, "each call sends one")
		sent := server.Invitations()[0]
		assert.Equal(t, []any{f.NewcomerUserID, newcomer, "invite-1"}, []any{sent.UserID, sent.Email, sent.RequestID})
		assert.False(t, sent.Sent.IsZero())
	})
}

func TestRefusalsOfUsers(t *testing.T) {
	t.Parallel()
	create := func(user models.UserCreate) func(context.Context, *practice.Client, practicetest.Firm) error {
		return func(ctx context.Context, c *practice.Client, _ practicetest.Firm) error {
			return testkit.Discard(c.Users.Create(ctx, user))
		}
	}
	testkit.AssertRefusals(t, "Users.Create",
		testkit.Refusal{
			Rule: "a password that is easy to guess", Want: practice.ErrBadRequest,
			Fields: []string{"password: must contain lowercase and uppercase letters, digits and other characters"},
			Call:   create(models.UserCreate{Email: "robin@example.test", Password: models.NewSecret("Password1")}),
		},
	)
	testkit.AssertRefusals(t, "Users.Invite",
		testkit.Refusal{Rule: "an address that nobody has", ByClient: true, Want: practice.ErrNotFound, Call: func(ctx context.Context, c *practice.Client, _ practicetest.Firm) error {
			return testkit.Discard(c.Users.Invite(ctx, practice.NoUserID, models.UserInvite{Email: "nobody@example.test"}))
		}},
		testkit.Refusal{Rule: "an address alone, with a user's own token", Mistake: true, Want: practice.ErrForbidden, Call: func(ctx context.Context, c *practice.Client, _ practicetest.Firm) error {
			return testkit.Discard(c.Users.Invite(ctx, practice.NoUserID, models.UserInvite{Email: "newcomer@firm.example.test"}))
		}},
	)
}
