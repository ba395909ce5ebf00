package main

import (
	"fmt"
	"strings"

	"github.com/practicesdk/practice-go/practicetest"
)

// greeting is what the program prints. All of it is shell: assignments first, then
// comments.
func greeting(s *practicetest.Server) string {
	c, f := s.Credentials(), s.Firm()
	var b strings.Builder
	for _, v := range [][2]string{
		{"BASE_URL", s.BaseURL()},
		{"TOKEN_URL", s.TokenURL()},
		{"CLIENT_ID", c.ClientID},
		{"CLIENT_SECRET", c.ClientSecret},
		{"API_KEY", c.APIKey},
		{"ACCESS_TOKEN", c.AccessToken},
		{"REFRESH_TOKEN", c.RefreshToken},
		{"ACCOUNT_ID", c.AccountID},
		{"USER_ID", c.UserID},
		{"MATTER_ID", f.MatterID},
		{"FOLDER_ID", f.FolderID},
		{"FILE_ID", f.FileID},
		{"CONTACT_ID", f.ContactID},
		{"RELATED_CONTACT_ID", f.RelatedContactID},
		{"TAG_ID", f.TagID},
		{"STAFF_ID", f.StaffID},
		{"FEE_ID", f.FeeID},
		{"EXPENSE_ID", f.ExpenseID},
		{"POLICY_REFERENCE", f.PolicyReference},
		{"ROLE_ID", f.RoleID},
		{"SUBSCRIPTION_ID", f.SubscriptionID},
		{"PAYMENT_METHOD_ID", f.PaymentMethodID},
		{"WEBHOOK_ID", f.WebhookID},
	} {
		fmt.Fprintf(&b, "export PRACTICE_%s=%s\n", v[0], quote(v[1]))
	}
	b.WriteString(`# The sandbox is open. Press Ctrl-C to close it; nothing is kept.
# With these variables set, for example:
#   curl -H "x-api-key: $PRACTICE_API_KEY" -H "Authorization: Bearer $PRACTICE_ACCESS_TOKEN" "$PRACTICE_BASE_URL/bankaccounts"
`)
	return b.String()
}

// quote makes a word of the shell of any text.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
