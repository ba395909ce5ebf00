package practicetest

// Firm holds the identifiers of the seeded firm, and some of another firm. Equal seeds
// give equal identifiers.
type Firm struct {
	AccountID                string   // the firm's account
	MatterID                 string   // the first matter; it has folders, files, a fee and an expense
	MatterIDs                []string // every matter of the firm
	FolderID                 string   // a folder below the root of MatterID, with files and sub folders
	FileID                   string   // an uploaded file in the root folder of MatterID
	VersionID                string   // the version of the content of FileID
	ContactID                string   // a contact with relations and tags
	RelatedContactID         string   // a contact related to ContactID
	ContactIDs               []string // every contact of the firm
	TagID                    string   // a tag of ContactID
	TagName                  string   // the name of TagID
	StaffID                  string   // an enabled staff member
	StaffIDs                 []string // every staff member
	UserID                   string   // the user of StaffID
	FeeID                    string   // a fee of MatterID
	ExpenseID                string   // an expense of MatterID
	ActivityCodeID           string   // an activity code
	PolicyReference          string   // the reference of an authorization policy
	RoleID                   string   // a role of MatterID with relationships
	SubscriptionID           string   // the firm's subscription
	PromotionID              string   // the first promotion
	PaymentMethodID          string   // a payment method of SubscriptionID
	WebhookID                string   // a seeded webhook subscription
	OtherAccountID           string   // another firm's account
	OtherFirmMatterID        string   // a matter of the other firm, answered with 403
	OtherFirmStaffID         string   // a staff member of the other firm, answered with 403
	OtherFirmContactID       string   // a contact of the other firm, answered with 403
	OtherFirmFolderID        string   // a folder of the other firm, answered with 403
	OtherFirmFileID          string   // a file of the other firm, answered with 403
	OtherFirmUserID          string   // a user of the other firm, refused as UserId
	OtherFirmPolicyReference string   // a policy reference of the other firm, answered with 403
	OtherFirmActivityCodeID  string   // an activity code of the other firm, answered with 403
	OtherFirmSubscriptionID  string   // the other firm's subscription, answered with 403
	OtherFirmWebhookID       string   // a webhook subscription of the other firm, answered with 403
}

// Credentials hold everything that an integration is given: enough for every grant,
// and a valid access token for tests that need no grant.
type Credentials struct {
	// ClientID names the client. Webhook signatures cover it too.
	ClientID string
	// ClientSecret authenticates the client at the token endpoint.
	ClientSecret string
	// APIKey is the value of the x-api-key header.
	APIKey string
	// UserID is an enabled user of the firm, for the UserId header.
	UserID string
	// AccountID is the firm's account, the path prefix of multi-account clients.
	AccountID string
	// AccessToken is a bearer token of the authorization code grant.
	AccessToken string
	// RefreshToken obtains a new access token.
	RefreshToken string
}

// SystemAccountID is the account of system subscriptions. They take system event types
// only and need the client credentials grant.
const SystemAccountID = "00000000-0000-0000-0000-000000000000"
