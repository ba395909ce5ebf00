package operations

import "github.com/practicesdk/practice-go/models"

// access returns the operations on users and on the firm.
func access(f Firm) rows {
	return rows{
		"createUser":              {models.UserCreate{Email: "robin@firm.example.test", Password: models.NewSecret("Correct horse 7")}},
		"inviteUser":              {models.UserInvite{Email: "robin@firm.example.test"}},
		"createStaffNotification": {models.InAppNotificationCreate{StaffID: f.StaffID, Icon: "bell", Message: "The lease is **signed**."}},
		"updateFirm": {models.FirmWrite{
			Name: "Quinn & Young Law", ProductID: "PRD002", Email: "office@firm.example.test",
			Status: models.FirmStatusWrite{Status: models.FirmAccountStatusActive},
		}},
		"createFirm": {models.FirmCreate{
			Name: "Newcomer Law", ProductID: "PRD002",
			Staff: models.StaffMemberWrite{UserID: f.NewcomerUserID, LastName: "Newcomer"},
		}},
		"updateFirmUser": {models.FirmUserWrite{UserID: f.UserID}},
		// The user of the call stays.
		"deleteFirmUser": {f.ColleagueUserID},
	}
}

// portal returns the operations on messages to clients.
func portal(f Firm) rows {
	return rows{
		"sendPortalMessage": {models.PortalMessage{Message: "This is a test message.", ContactID: f.ContactID, RequireMFA: true}},
		"createPortalTask": {models.PortalTaskCreate{
			ContactID: f.ContactID, ExternalUserID: "user-9", Title: "Sign: lease", URL: "https://sign.example.test/9",
		}},
		"patchPortalTask": {models.PortalTaskPatch{Completed: models.Some(true)}},
	}
}
