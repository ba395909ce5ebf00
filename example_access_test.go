package practice_test

import (
	"context"
	"fmt"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

// Somebody who joins the firm becomes a user, and then the user of a staff member.
func ExampleFirmService_UpdateUser() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()

	user, err := client.Users.Create(ctx, models.UserCreate{Email: "robin@firm.example.test"}) // the service makes a password
	if err != nil {
		fmt.Println(err)
		return
	}
	server.Settle() // the write takes effect
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

// Each call sends an e-mail. The address alone names the user.
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

// Roles, relationships and layouts of a matter have one version.
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

// No operation answers with the id of a portal task; a test reads it from the service.
func ExamplePortalService_PatchTask() {
	server := startService()
	defer stopService(server)
	client, ctx, matter := clientOf(server), context.Background(), server.Firm().MatterID

	task := server.PortalTasks(matter)[0]
	err := client.Portal.PatchTask(ctx, matter, task.ID, models.PortalTaskPatch{Completed: models.Some(true)})
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
