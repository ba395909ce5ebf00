package setup

import "github.com/practicesdk/practice-go/practicetest"

// identifiers are those of the seeded firm, by the names of their variables.
func identifiers(server *practicetest.Server) map[string]string {
	f := server.Firm()
	return map[string]string{
		"ACCOUNT_ID":         f.AccountID,
		"USER_ID":            server.Credentials().UserID,
		"MATTER_ID":          f.MatterID,
		"FOLDER_ID":          f.FolderID,
		"FILE_ID":            f.FileID,
		"CONTACT_ID":         f.ContactID,
		"RELATED_CONTACT_ID": f.RelatedContactID,
		"TAG_ID":             f.TagID,
		"STAFF_ID":           f.StaffID,
		"FEE_ID":             f.FeeID,
		"EXPENSE_ID":         f.ExpenseID,
		"POLICY_REFERENCE":   f.PolicyReference,
		"ROLE_ID":            f.RoleID,
		"SUBSCRIPTION_ID":    f.SubscriptionID,
		"PAYMENT_METHOD_ID":  f.PaymentMethodID,
		"WEBHOOK_ID":         f.WebhookID,
	}
}
