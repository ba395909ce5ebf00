package practice_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestPoliciesOfAResourceAndOfAPrincipal(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		user, err := client.Staff.Get(t.Context(), server.Firm().StaffID)
		require.NoError(t, err)
		for _, reference := range []string{server.Firm().MatterID, user.UserID} {
			p, err := client.Policies.Get(t.Context(), reference)
			require.NoError(t, err)
			assertSent(t, server, "GET", "/policies/"+reference, "")
			wire := wireTree(t, wireText(t, client, "/policies/{reference}", reference))
			assertRecord(t, wire, map[string]any{
				"id": p.ID, "href": p.Href, "relation": p.Relation, "method": p.Method, "self": p.Self,
				"reference": p.Reference, "principalId": p.PrincipalID, "resourceId": p.ResourceID, "rules": p.Rules,
			})
			rules := wire.(map[string]any)["rules"].([]any)
			require.Len(t, p.Rules, len(rules))
			for i, rule := range p.Rules {
				assertRecord(t, rules[i], map[string]any{
					"principalId": rule.PrincipalID, "resourceId": rule.ResourceID, "operation": rule.Operation, "type": rule.Type,
				})
				_, numbered := rule.Type.Get()
				assert.True(t, numbered, "a rule that denies has the number 0, which is not absent")
			}
		}

		resource, err := client.Policies.Get(t.Context(), server.Firm().MatterID)
		require.NoError(t, err)
		assert.Empty(t, resource.PrincipalID, "null for a policy of a resource")
		assert.Equal(t, "matters/"+server.Firm().MatterID, resource.Rules[0].ResourceID)
		assert.Equal(t, models.PolicyOperationAccess, resource.Rules[0].Operation)
		assert.NotEqual(t, resource.Rules[0].Type, resource.Rules[1].Type)

		principal, err := client.Policies.Get(t.Context(), user.UserID)
		require.NoError(t, err)
		assert.Empty(t, principal.ResourceID, "null for a policy of a principal")
		assert.Equal(t, user.UserID, principal.PrincipalID)
		assert.Empty(t, principal.Rules[0].PrincipalID)
	})
}

func TestRefusalsOfPolicies(t *testing.T) {
	t.Parallel()
	get := func(reference func(practicetest.Firm) string) func(context.Context, *practice.Client, practicetest.Firm) error {
		return func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return discard(c.Policies.Get(ctx, reference(f)))
		}
	}
	testRefusals(t, "Policies.Get",
		refusal{rule: "an unknown reference", want: practice.ErrNotFound, call: get(func(practicetest.Firm) string { return unknownID })},
		refusal{rule: "a policy of another firm", want: practice.ErrForbidden, call: get(func(f practicetest.Firm) string { return f.OtherFirmPolicyReference })},
		refusal{
			rule: "a reference that is no UUID", want: practice.ErrBadRequest, fields: []string{"reference: not a UUID"},
			call: get(func(practicetest.Firm) string { return "all matters" }),
		},
	)
}
