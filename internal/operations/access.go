package operations

import (
	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

// access returns the operations on users and on the firm.
func access() []Operation {
	return []Operation{
		{"Users.Get", "getUser", func(f Firm) []any {
			return []any{f.UserID}
		}},
		{"Users.Delete", "deleteUser", func(f Firm) []any {
			return []any{f.UserID}
		}},
		{"Users.Create", "createUser", func(Firm) []any {
			return []any{models.UserCreate{Email: "robin@firm.example.test", Password: models.NewSecret("Correct horse 7")}}
		}},
		{"Users.Invite", "inviteUser", func(f Firm) []any {
			return []any{f.UserID, models.UserInvite{Email: "robin@firm.example.test"}}
		}},
		{"Notifications.Get", "getStaffNotification", func(f Firm) []any {
			return []any{f.NotificationID}
		}},
		{"Notifications.Create", "createStaffNotification", func(f Firm) []any {
			return []any{models.InAppNotificationCreate{StaffID: f.StaffID, Icon: "bell", Message: "The lease is **signed**."}}
		}},
		{"Firm.Get", "getFirm", func(Firm) []any {
			return nil
		}},
		{"Firm.Update", "updateFirm", func(Firm) []any {
			return []any{models.FirmWrite{
				Name: "Quinn & Young Law", ProductID: "PRD002", Email: "office@firm.example.test",
				Status: models.FirmStatusWrite{Status: models.FirmAccountStatusActive},
			}}
		}},
		{"Firm.Create", "createFirm", func(f Firm) []any {
			return []any{models.FirmCreate{
				Name: "Newcomer Law", ProductID: "PRD002",
				Staff: models.StaffMemberWrite{UserID: f.NewcomerUserID, LastName: "Newcomer"},
			}}
		}},
		{"Firm.ListUsers", "listFirmUsers", func(Firm) []any {
			return []any{practice.FirmUserListOptions{}}
		}},
		{"Firm.GetUser", "getFirmUser", func(f Firm) []any {
			return []any{f.UserID}
		}},
		{"Firm.UpdateUser", "updateFirmUser", func(f Firm) []any {
			return []any{f.UserID, models.FirmUserWrite{UserID: f.UserID}}
		}},
		{"Firm.DeleteUser", "deleteFirmUser", func(f Firm) []any {
			return []any{f.ColleagueUserID}
		}},
	}
}

// portal returns the operations on messages to clients.
func portal() []Operation {
	return []Operation{
		{"Portal.SendMessage", "sendPortalMessage", func(f Firm) []any {
			return []any{f.MatterID, models.PortalMessage{Message: "This is a test message.", ContactID: f.ContactID, RequireMFA: true}}
		}},
		{"Portal.CreateTask", "createPortalTask", func(f Firm) []any {
			return []any{f.MatterID, models.PortalTaskCreate{
				ContactID: f.ContactID, ExternalUserID: "user-9", Title: "Sign: lease", URL: "https://sign.example.test/9",
			}}
		}},
		{"Portal.PatchTask", "patchPortalTask", func(f Firm) []any {
			return []any{f.MatterID, f.PortalTaskID, models.PortalTaskPatch{Completed: models.Some(true)}}
		}},
	}
}
