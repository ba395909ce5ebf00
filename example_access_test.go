package practice_test

import (
	"context"
	"fmt"
	"log"
	"slices"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

// A person who joins the firm becomes a user, and then the user of a staff
// member.
func ExampleFirmService_UpdateUser() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()

	user, err := client.Users.Create(ctx, models.UserCreate{Email: "robin@firm.example.test"}) // the service generates a password
	if err != nil {
		fmt.Println(err)
		return
	}
	server.Settle() // let the write take effect
	withoutUser := server.Firm().StaffIDs[2]
	_, err = client.Firm.UpdateUser(ctx, withoutUser, models.FirmUserWrite{UserID: user.ID, StaffID: withoutUser})
	if err != nil {
		fmt.Println(err)
		return
	}
	server.Settle()
	tie, err := client.Firm.GetUser(ctx, user.ID)
	fmt.Println(tie.StaffID == withoutUser, err)
	for _, sent := range server.Invitations() {
		fmt.Println("a password went to", sent.Email)
	}
	// Output:
	// true <nil>
	// a password went to robin@firm.example.test
}

// Each call sends an e-mail. The user is identified by the address alone.
func ExampleUsersService_Invite() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()

	_, err := client.Users.Invite(ctx, practice.NoUserID, models.UserInvite{Email: "newcomer@firm.example.test"})
	server.Settle()
	fmt.Println(len(server.Invitations()), err)
	// Output:
	// 1 <nil>
}

// Roles, relationships and layouts of a matter share one version.
func ExampleRolesService_GetForMatter() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()

	_, err := client.Roles.AddRelationship(ctx, server.Firm().MatterID, server.Firm().RoleID,
		models.RelationshipWrite{Name: "Guarantor", ContactID: server.Firm().ContactID}, practice.WithVersion(1))
	if err != nil {
		fmt.Println(err)
		return
	}
	server.Settle()
	all, err := client.Roles.GetForMatter(ctx, server.Firm().MatterID)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, role := range all.Roles {
		fmt.Println(role.Name)
		for _, relationship := range role.Relationships {
			fmt.Println("-", relationship.Name)
		}
	}
	// Output:
	// Client
	// - Solicitor
	// - Attorney
	// - Guarantor
	// OtherSide
	// Agent
	// Witness
}

// No operation returns the id of a portal task; this test takes it from the
// embedded service.
func ExamplePortalService_PatchTask() {
	server := startService()
	defer stopService(server)
	client, ctx, matter := clientOf(server), context.Background(), server.Firm().MatterID

	task := server.PortalTasks(matter)[0]
	_, err := client.Portal.PatchTask(ctx, matter, task.ID, models.PortalTaskPatch{Completed: models.Some(true)})
	if err != nil {
		fmt.Println(err)
		return
	}
	server.Settle()
	task = server.PortalTasks(matter)[0]
	fmt.Println(task.Task.Title, task.Completed)
	// Output:
	// Sign: costs agreement true
}

// One version covers all roles of a matter, so the wait ends at a change of any
// role.
func ExampleRolesService_Create() {
	server := startService()
	defer stopService(server)
	client, ctx, matterID := clientOf(server), context.Background(), server.Firm().MatterID

	read := func(ctx context.Context) (*models.MatterRoles, error) {
		return client.Roles.GetForMatter(ctx, matterID)
	}
	before, err := read(ctx)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := client.Roles.Create(ctx, matterID, models.RoleWrite{Name: "Surveyor", ContactID: server.Firm().ContactID}); err != nil {
		log.Fatal(err)
	}
	after, err := practice.Await(ctx, read, practice.Changed(before))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(after.Roles)-len(before.Roles), "more:", after.Roles[len(after.Roles)-1].Name)
	// Output: 1 more: Surveyor
}

// A group becomes visible a moment after its create.
func ExampleGroupsService_Create() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()

	link, err := client.Groups.Create(ctx, models.GroupCreate{Name: "Family law", PrincipalIDs: []string{server.Firm().UserID}})
	if err != nil {
		log.Fatal(err)
	}
	group, err := practice.Await(ctx, practice.ReadLink[models.Group](client, link), practice.Exists())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(group.Name, len(group.PrincipalIDs))
	// Output: Family law 1
}

// A policy is a complete list of rules. The wait ends when the list reads back
// as written.
func ExamplePoliciesService_Modify() {
	server := startService()
	defer stopService(server)
	client, ctx, reference := clientOf(server), context.Background(), server.Firm().PolicyReference

	before, err := client.Policies.Get(ctx, reference)
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Policies.Modify(ctx, reference, func(policy *models.PolicyWrite) error {
		policy.Rules = policy.Rules[:1]
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	after, err := practice.Await(ctx, func(ctx context.Context) (*models.Policy, error) {
		return client.Policies.Get(ctx, reference)
	}, practice.Changed(before))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(after.Rules), "rule")
	// Output: 1 rule
}

// A staff member who leaves is kept and marked as former.
func ExampleStaffService_Delete() {
	server := startService()
	defer stopService(server)
	client, ctx, id := clientOf(server), context.Background(), server.Firm().StaffIDs[3]

	if _, err := client.Staff.Delete(ctx, id); err != nil {
		log.Fatal(err)
	}
	member, err := practice.Await(ctx, func(ctx context.Context) (*models.StaffMember, error) {
		return client.Staff.Get(ctx, id)
	}, practice.When(func(member *models.StaffMember) bool { return member.Former.Or(false) }))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("former:", member.Former.Or(false))
	// Output: former: true
}

// A new user becomes visible a moment after the create.
func ExampleUsersService_Create() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()

	link, err := client.Users.Create(ctx, models.UserCreate{Email: "kim@example.test"})
	if err != nil {
		log.Fatal(err)
	}
	user, err := practice.Await(ctx, practice.ReadLink[models.User](client, link), practice.Exists())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(user.Email)
	// Output: kim@example.test
}

// The wait ends when the version of the firm changes.
func ExampleFirmService_Modify() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()

	read := func(ctx context.Context) (*models.Firm, error) { return client.Firm.Get(ctx) }
	before, err := read(ctx)
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Firm.Modify(ctx, func(firm *models.FirmWrite) error {
		firm.Name = "Example & Partners"
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	after, err := practice.Await(ctx, read, practice.Changed(before))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(after.Name)
	// Output: Example & Partners
}

// Notifications are messages to staff, shown in the service's application.
func ExampleNotificationsService() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()

	link, err := client.Notifications.Create(ctx, models.InAppNotificationCreate{
		StaffID: server.Firm().StaffID, Message: "The signed lease has come.",
	})
	if err != nil {
		log.Fatal(err)
	}
	notice, err := practice.Await(ctx, practice.ReadLink[models.InAppNotification](client, link), practice.Exists())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(notice.Message)
	// Output: The signed lease has come.
}

// Referral types record how clients found the firm.
func ExampleReferralTypesService() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()

	page, err := client.ReferralTypes.List(ctx, practice.ReferralTypeListOptions{})
	if err != nil {
		log.Fatal(err)
	}
	first, err := client.ReferralTypes.Get(ctx, page.Items[0].ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(page.Items), first.Name)
	// Output: 5 Website
}

// A plugin of the integrator is changed, and the wait ends when the change can
// be read.
func ExamplePluginsService_Modify() {
	server := startService()
	defer stopService(server)
	client, ctx, id := clientOf(server), context.Background(), server.Firm().PluginID

	before, err := client.Plugins.Get(ctx, id)
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Plugins.Modify(ctx, id, func(plugin *models.PluginWrite) error {
		plugin.Version.Name = "Ledger"
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	after, err := practice.Await(ctx, func(ctx context.Context) (*models.Plugin, error) {
		return client.Plugins.Get(ctx, id)
	}, practice.Changed(before))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(after.Version.Name)
	// Output: Ledger
}

// A subscription moves to another tier, which changes the price for the firm.
func ExampleSubscriptionsService_SwitchTier() {
	server := startService()
	defer stopService(server)
	client, ctx, id := clientOf(server), context.Background(), server.Firm().SubscriptionID

	before, err := client.Subscriptions.Get(ctx, id)
	if err != nil {
		log.Fatal(err)
	}
	tiers, err := client.Subscriptions.ListTiers(ctx, practice.TierListOptions{})
	if err != nil {
		log.Fatal(err)
	}
	other := slices.IndexFunc(tiers.Items, func(tier models.Tier) bool { return tier.ID != before.Tier.ID })
	if _, err := client.Subscriptions.SwitchTier(ctx, id, tiers.Items[other].ID, models.TierSwitch{}); err != nil {
		log.Fatal(err) // after an *AmbiguousWriteError, AllChanges shows whether it was executed
	}
	after, err := practice.Await(ctx, func(ctx context.Context) (*models.Subscription, error) {
		return client.Subscriptions.Get(ctx, id)
	}, practice.When(func(s *models.Subscription) bool { return s.Tier.ID != before.Tier.ID }))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(after.Tier.Name)
	// Output: Tier 2
}
