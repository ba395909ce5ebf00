package practicetest

// Firm holds the ids of seeded records of the firm, and of some records of
// another firm. Equal seeds produce equal ids. A request for a record of the
// other firm is rejected with 403.
type Firm struct {
	AccountID                string   `json:"accountId"`                // the firm's account
	MatterID                 string   `json:"matterId"`                 // the first matter; it has folders, files, a fee and an expense
	MatterIDs                []string `json:"matterIds"`                // the matters of the firm
	LeadID                   string   `json:"leadId"`                   // a lead
	MatterItemID             string   `json:"matterItemId"`             // an item of MatterID
	MatterTagID              string   `json:"matterTagId"`              // a tag of MatterID
	IntakeFormID             string   `json:"intakeFormId"`             // an intake form
	IntakeSubmissionID       string   `json:"intakeSubmissionId"`       // an intake submission of MatterID, with answers
	LayoutDesignID           string   `json:"layoutDesignId"`           // the layout design of LayoutItemID
	LayoutItemID             string   `json:"layoutItemId"`             // a layout item of MatterID with contacts in its fields Agent and Witness
	MemoID                   string   `json:"memoId"`                   // a memo of MatterID
	MatterTypeID             string   `json:"matterTypeId"`             // the type of MatterID
	ReferralTypeID           string   `json:"referralTypeId"`           // a referral type
	StageSetID               string   `json:"stageSetId"`               // the stage set of MatterID
	StageID                  string   `json:"stageId"`                  // the stage that MatterID has reached
	FolderID                 string   `json:"folderId"`                 // a folder below the root of MatterID, with files and sub folders
	SubfolderID              string   `json:"subfolderId"`              // a folder in FolderID
	FileID                   string   `json:"fileId"`                   // an uploaded file in the root folder of MatterID
	VersionID                string   `json:"versionId"`                // the version of the content of FileID
	DocumentVersionID        string   `json:"documentVersionId"`        // the id of that version in histories and previews
	ContactID                string   `json:"contactId"`                // a contact with relations and tags, a client of MatterID
	RelatedContactID         string   `json:"relatedContactId"`         // a contact related to ContactID
	ContactIDs               []string `json:"contactIds"`               // the contacts of the firm
	TagID                    string   `json:"tagId"`                    // a tag of ContactID
	TagName                  string   `json:"tagName"`                  // the name of TagID
	StaffID                  string   `json:"staffId"`                  // an enabled staff member
	StaffIDs                 []string `json:"staffIds"`                 // the staff members
	UserID                   string   `json:"userId"`                   // the user of StaffID
	OwnerUserID              string   `json:"ownerUserId"`              // the owner of the firm: the user of Credentials
	ColleagueUserID          string   `json:"colleagueUserId"`          // a user of the same firm who is not UserID
	NewcomerUserID           string   `json:"newcomerUserId"`           // a user who is not linked to a staff member yet
	FeeID                    string   `json:"feeId"`                    // a fee of MatterID
	ExpenseID                string   `json:"expenseId"`                // an expense of MatterID
	BankAccountID            string   `json:"bankAccountId"`            // a trust account with money of MatterID
	ProtectionID             string   `json:"protectionId"`             // a protection of money of MatterID in BankAccountID
	TransactionID            string   `json:"transactionId"`            // a transaction of BankAccountID
	OtherFirmBankAccountID   string   `json:"otherFirmBankAccountId"`   // a trust account of the other firm
	InvoiceID                string   `json:"invoiceId"`                // an invoice of MatterID
	ActivityCodeID           string   `json:"activityCodeId"`           // an activity code
	TaskID                   string   `json:"taskId"`                   // a task of MatterID with subtasks and a document
	SubtaskID                string   `json:"subtaskId"`                // a subtask of TaskID
	TaskDocumentID           string   `json:"taskDocumentId"`           // the link between a file and TaskID
	EventID                  string   `json:"eventId"`                  // a non-recurring event of MatterID with reminders; empty if the calendar is empty
	ReminderID               string   `json:"reminderId"`               // a reminder of EventID
	GroupID                  string   `json:"groupId"`                  // an authorization group
	PolicyReference          string   `json:"policyReference"`          // the reference of an authorization policy
	RoleID                   string   `json:"roleId"`                   // a role of MatterID with relationships
	NotificationID           string   `json:"notificationId"`           // a notification for StaffID
	OtherFirmNotificationID  string   `json:"otherFirmNotificationId"`  // a notification of the other firm
	PortalTaskID             string   `json:"portalTaskId"`             // a client portal task about MatterID
	RelationshipID           string   `json:"relationshipId"`           // a relationship of RoleID
	SubscriptionID           string   `json:"subscriptionId"`           // the firm's subscription to the service
	TierID                   string   `json:"tierId"`                   // a tier that AddOnID is an add-on of
	AddOnID                  string   `json:"addOnId"`                  // an add-on
	UsageID                  string   `json:"usageId"`                  // a usage product in SubscriptionID
	NewUsageID               string   `json:"newUsageId"`               // a usage product not in SubscriptionID
	UsagePriceID             string   `json:"usagePriceId"`             // the price of UsageID
	SubscriptionInvoiceID    string   `json:"subscriptionInvoiceId"`    // an invoice for SubscriptionID
	SparePaymentMethodID     string   `json:"sparePaymentMethodId"`     // a second payment method of SubscriptionID
	ChargeID                 string   `json:"chargeId"`                 // a usage charge of SubscriptionID, one hour old
	PluginID                 string   `json:"pluginId"`                 // a plugin available to the account
	PluginSubscriptionID     string   `json:"pluginSubscriptionId"`     // the account's subscription to PluginID
	PromotionID              string   `json:"promotionId"`              // the first promotion
	PaymentMethodID          string   `json:"paymentMethodId"`          // a payment method of SubscriptionID
	WebhookID                string   `json:"webhookId"`                // a seeded webhook subscription
	OtherAccountID           string   `json:"otherAccountId"`           // the other firm's account
	OtherFirmMatterID        string   `json:"otherFirmMatterId"`        // a matter of the other firm
	OtherFirmStaffID         string   `json:"otherFirmStaffId"`         // a staff member of the other firm
	OtherFirmContactID       string   `json:"otherFirmContactId"`       // a contact of the other firm
	OtherFirmFolderID        string   `json:"otherFirmFolderId"`        // a folder of the other firm
	OtherFirmSubfolderID     string   `json:"otherFirmSubfolderId"`     // a second folder of the other firm
	OtherFirmFileID          string   `json:"otherFirmFileId"`          // a file of the other firm
	OtherFirmUserID          string   `json:"otherFirmUserId"`          // a user of the other firm; rejected in the UserId header
	OtherFirmTaskID          string   `json:"otherFirmTaskId"`          // a task of the other firm
	OtherFirmEventID         string   `json:"otherFirmEventId"`         // an event of the other firm
	OtherFirmGroupID         string   `json:"otherFirmGroupId"`         // an authorization group of the other firm
	OtherFirmMatterTypeID    string   `json:"otherFirmMatterTypeId"`    // a matter type of the other firm
	OtherFirmLayoutDesignID  string   `json:"otherFirmLayoutDesignId"`  // a layout design of the other firm
	OtherFirmReferralTypeID  string   `json:"otherFirmReferralTypeId"`  // a referral type of the other firm
	OtherFirmStageSetID      string   `json:"otherFirmStageSetId"`      // a stage set of the other firm
	OtherFirmPolicyReference string   `json:"otherFirmPolicyReference"` // the reference of a policy of the other firm
	OtherFirmActivityCodeID  string   `json:"otherFirmActivityCodeId"`  // an activity code of the other firm
	OtherFirmSubscriptionID  string   `json:"otherFirmSubscriptionId"`  // the other firm's subscription to the service
	OtherFirmTierID          string   `json:"otherFirmTierId"`          // a tier offered to the other firm
	OtherFirmAddOnID         string   `json:"otherFirmAddOnId"`         // an add-on offered to the other firm
	OtherFirmUsageID         string   `json:"otherFirmUsageId"`         // a usage product offered to the other firm
	OtherFirmPromotionID     string   `json:"otherFirmPromotionId"`     // a promotion for the other firm
	OtherFirmPluginID        string   `json:"otherFirmPluginId"`        // a plugin of the other firm
	OtherFirmWebhookID       string   `json:"otherFirmWebhookId"`       // a webhook subscription of the other firm

	OtherFirmSubscriptionInvoiceID string `json:"otherFirmSubscriptionInvoiceId"` // an invoice for the other firm's subscription
}

// Credentials holds what an integration needs to get tokens with every grant,
// and a valid access token for tests that need no grant.
type Credentials struct {
	// ClientID is the OAuth client id. Webhook signatures cover it too.
	ClientID string
	// ClientSecret authenticates the client at the token endpoint.
	ClientSecret string
	// APIKey is the value of the x-api-key header.
	APIKey string
	// UserID is the id of an enabled user of the firm, for the UserId header.
	UserID string
	// AccountID is the id of the firm's account, which multi-account clients
	// use as the path prefix.
	AccountID string
	// AccessToken is a bearer token from the authorization code grant.
	AccessToken string
	// RefreshToken can be exchanged for a new access token.
	RefreshToken string
}

// SystemAccountID is the account of system subscriptions. These accept only
// system event types and require the client credentials grant.
const SystemAccountID = "00000000-0000-0000-0000-000000000000"
