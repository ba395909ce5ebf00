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

func TestPoliciesOfAResourceAndOfAPrincipal(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		user, err := client.Staff.Get(t.Context(), server.Firm().StaffID)
		require.NoError(t, err)
		for _, reference := range []string{server.Firm().MatterID, user.UserID} {
			p, err := client.Policies.Get(t.Context(), reference)
			require.NoError(t, err)
			testkit.AssertSent(t, server, "GET", "/policies/"+reference, "")
			wire := testkit.WireTree(t, testkit.WireText(t, client, "/policies/{reference}", reference))
			testkit.AssertRecord(t, wire, map[string]any{
				"id": p.ID, "href": p.Href, "relation": p.Relation, "method": p.Method, "self": p.Self,
				"reference": p.Reference, "principalId": p.PrincipalID, "resourceId": p.ResourceID, "rules": p.Rules,
			})
			rules := wire.(map[string]any)["rules"].([]any)
			require.Len(t, p.Rules, len(rules))
			for i, rule := range p.Rules {
				testkit.AssertRecord(t, rules[i], map[string]any{
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

func TestAPolicyOfAGroupIsCreatedUnderItsID(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		rules := []models.PolicyRuleWrite{{ResourceID: "matters/" + f.MatterID, Operation: models.PolicyOperationAccess, Type: models.Some(models.PolicyRuleType(1))}}
		link, err := client.Policies.Create(t.Context(), models.PolicyWrite{PrincipalID: f.GroupID, Rules: rules})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "POST", "/policies", "")
		assert.Equal(t, 202, testkit.LastSent(t, server).Status)
		assert.Equal(t, f.GroupID, link.TargetID())
		server.Settle()
		policy, err := client.Policies.Get(t.Context(), f.GroupID)
		require.NoError(t, err)
		assert.Equal(t, f.GroupID, policy.Reference)
		assert.Equal(t, f.GroupID, policy.PrincipalID)
		assert.Empty(t, policy.ResourceID)
		require.Len(t, policy.Rules, 1)
		assert.Equal(t, "matters/"+f.MatterID, policy.Rules[0].ResourceID)
	})
}

func TestAPolicyOfAllMattersIsCreatedAndRead(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		link, err := client.Policies.Create(t.Context(), models.PolicyWrite{ResourceID: "matters", Rules: []models.PolicyRuleWrite{{PrincipalID: server.Firm().GroupID}}})
		require.NoError(t, err)
		server.Settle()
		policy, err := client.Policies.Get(t.Context(), link.TargetID())
		require.NoError(t, err)
		assert.Equal(t, server.Firm().GroupID, policy.Rules[0].PrincipalID)
	})
}

func TestAPolicyIsReplacedWithAllItsRules(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		before, err := client.Policies.Get(t.Context(), f.PolicyReference)
		require.NoError(t, err)
		require.Len(t, before.Rules, 2)
		_, err = client.Policies.Update(t.Context(), f.PolicyReference, models.PolicyWrite{
			ResourceID: "matters/" + before.ResourceID,
			Rules:      []models.PolicyRuleWrite{{PrincipalID: f.GroupID, Operation: models.PolicyOperationAccess, Type: models.Some(models.PolicyRuleType(0))}},
		})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "PUT", "/policies/"+f.PolicyReference, "")
		server.Settle()
		after, err := client.Policies.Get(t.Context(), f.PolicyReference)
		require.NoError(t, err)
		require.Len(t, after.Rules, 1, "what was left out is gone")
		assert.Equal(t, f.GroupID, after.Rules[0].PrincipalID)
		assert.Equal(t, before.ResourceID, after.ResourceID)
		assert.Equal(t, before.ID, after.ID)
	})
}

func TestRefusalsOfChangedPolicies(t *testing.T) {
	t.Parallel()
	create := func(policy func(practicetest.Firm) models.PolicyWrite) func(context.Context, *practice.Client, practicetest.Firm) error {
		return func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Policies.Create(ctx, policy(f)))
		}
	}
	rules := func(rule models.PolicyRuleWrite) func(practicetest.Firm) models.PolicyWrite {
		return func(f practicetest.Firm) models.PolicyWrite {
			return models.PolicyWrite{PrincipalID: f.GroupID, Rules: []models.PolicyRuleWrite{rule}}
		}
	}
	testkit.AssertRefusals(t, "Policies.Create",
		testkit.Refusal{
			Rule: "of nothing", Want: practice.ErrBadRequest, Bare: true,
			Call: create(func(practicetest.Firm) models.PolicyWrite { return models.PolicyWrite{} }),
		},
		testkit.Refusal{
			Rule: "of a user and a matter", Want: practice.ErrBadRequest, Bare: true,
			Call: create(func(f practicetest.Firm) models.PolicyWrite {
				return models.PolicyWrite{PrincipalID: f.GroupID, ResourceID: "matters/" + f.MatterID}
			}),
		},
		testkit.Refusal{
			Rule: "of an unknown user", Want: practice.ErrBadRequest, Conflict: true, Bare: true,
			Call: create(func(practicetest.Firm) models.PolicyWrite { return models.PolicyWrite{PrincipalID: testkit.UnknownID} }),
		},
		testkit.Refusal{
			Rule: "of an unknown matter", Want: practice.ErrBadRequest, Conflict: true, Bare: true,
			Call: create(func(practicetest.Firm) models.PolicyWrite {
				return models.PolicyWrite{ResourceID: "matters/" + testkit.UnknownID}
			}),
		},
		testkit.Refusal{
			Rule: "of another firm's matter", Want: practice.ErrBadRequest, Conflict: true, Bare: true,
			Call: create(func(f practicetest.Firm) models.PolicyWrite {
				return models.PolicyWrite{ResourceID: "matters/" + f.OtherFirmMatterID}
			}),
		},
		testkit.Refusal{
			Rule: "with a rule about an unknown user", Want: practice.ErrBadRequest, Conflict: true, Bare: true,
			Call: create(rules(models.PolicyRuleWrite{PrincipalID: testkit.UnknownID})),
		},
		testkit.Refusal{
			Rule: "with a rule about an unknown matter", Want: practice.ErrBadRequest, Conflict: true, Bare: true,
			Call: create(rules(models.PolicyRuleWrite{ResourceID: "matters/" + testkit.UnknownID})),
		},
	)
}
