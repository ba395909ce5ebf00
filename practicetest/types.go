package practicetest

import (
	"encoding/json"
	"net/http"
	"time"
)

// SystemAccountID is the account of system subscriptions: they take system
// event types only, and need the client credentials grant.
// Specification, Authentication 7.
const SystemAccountID = "00000000-0000-0000-0000-000000000000"

// The parts of the service, as [RecordedRequest.Part] names them.
const (
	// PartAPI is the interface itself.
	PartAPI = "api"
	// PartToken is the token endpoint with its authorization page.
	PartToken = "token"
	// PartStorage is the object store behind the pre-signed addresses.
	PartStorage = "storage"
)

// Credentials are what an integration is given: enough for every grant, and a
// valid access token for tests that need no grant at all.
type Credentials struct {
	// ClientID names the client; it is also part of webhook signatures.
	ClientID string
	// ClientSecret is the client's secret for the token endpoint.
	ClientSecret string
	// APIKey is the value of the x-api-key header.
	APIKey string
	// UserID is an enabled user of the firm, for the UserId header.
	UserID string
	// AccountID is the firm's account, the path prefix of multi-account clients.
	AccountID string
	// AccessToken is a bearer token of the authorization code grant.
	AccessToken string
	// RefreshToken renews AccessToken.
	RefreshToken string
}

// Firm holds the identifiers of the seeded firm. They are equal for equal seeds.
type Firm struct {
	AccountID           string   // the firm's account
	MatterID            string   // the first matter; it has folders, files, a fee and an expense
	MatterIDs           []string // every matter of the firm
	FolderID            string   // a folder below the root of MatterID, with files and sub folders
	FileID              string   // an uploaded file in the root folder of MatterID
	ContactID           string   // a contact with relations and tags
	RelatedContactID    string   // a contact related to ContactID
	ContactIDs          []string // every contact of the firm
	TagID               string   // a tag of ContactID
	TagName             string   // the name of TagID
	StaffID             string   // an enabled staff member
	StaffIDs            []string // every staff member
	UserID              string   // the user of StaffID
	FeeID               string   // a fee of MatterID
	ExpenseID           string   // an expense of MatterID
	PolicyReference     string   // the reference of an authorization policy
	RoleID              string   // a role of MatterID with relationships
	SubscriptionID      string   // the firm's subscription
	PromotionID         string   // the first promotion
	PaymentMethodID     string   // a payment method of SubscriptionID
	WebhookID           string   // a seeded webhook subscription
	OtherAccountID      string   // another firm's account
	OtherFirmMatterID   string   // a matter of the other firm, answered with 403
	OtherFirmStaffID    string   // a staff member of the other firm, answered with 403
	OtherFirmContactID  string   // a contact of the other firm, answered with 403
	OtherFirmFolderID   string   // a folder of the other firm, answered with 403
	OtherFirmFileID     string   // a file of the other firm, answered with 403
	OtherFirmUserID     string   // a user of the other firm, refused as UserId
	OtherFirmPolicy     string   // a policy reference of the other firm, answered with 403
	OtherSubscriptionID string   // the other firm's subscription, answered with 403
	OtherWebhookID      string   // a webhook subscription of the other firm, answered with 403
}

// RecordedRequest is one request as the service met it.
type RecordedRequest struct {
	// Part is the origin that was called: api, token or storage.
	Part string
	// Operation is the operationId of the route, "storage.put", "storage.get",
	// "token", "authorize", or empty for an unknown path.
	Operation string
	// Method is the HTTP method.
	Method string
	// Path is the escaped path as sent, with prefixes.
	Path string
	// RawQuery is the query as sent, without the question mark.
	RawQuery string
	// Header is a copy of the request headers.
	Header http.Header
	// Body holds the first bytes of the request body, at most [MaxRecordedBody].
	Body []byte
	// BodyBytes counts the whole body as far as the service read it.
	BodyBytes int64
	// Status is the status answered; zero when no answer was sent.
	Status int
	// RequestID is the RequestId header.
	RequestID string
	// When is the service's time at the start of the request.
	When time.Time
}

// MaxRecordedBody bounds [RecordedRequest.Body], so that uploads do not stay in memory twice.
const MaxRecordedBody = 64 << 10

// Event is a change notification before it is addressed to a subscription.
type Event struct {
	// Type is the event type, for example matter.updated.
	Type string
	// AccountID is the account it happened in; the seeded firm's when empty.
	AccountID string
	// UserID is the user that caused it; absent from the body when empty.
	UserID string
	// Source is API, or the name of the vendor's own application; API when empty.
	Source string
	// Payload is the JSON object of the event; {} when nil.
	Payload json.RawMessage
	// Timestamp is the .NET ticks of the moment it happened; the clock's now when zero.
	Timestamp int64
	// RequestID is the RequestId of the request that caused it; made up when empty.
	RequestID string
}

// Delivery is one attempt to bring an event to a subscription.
type Delivery struct {
	// SubscriptionID is the webhook subscription.
	SubscriptionID string
	// URL is the callback address.
	URL string
	// Type is the event type.
	Type string
	// RequestID is the RequestId header that was sent.
	RequestID string
	// Header holds the request headers that were sent.
	Header http.Header
	// Body is the notification as sent.
	Body []byte
	// Sent is the time the delivery began.
	Sent time.Time
	// Duplicate marks a repetition that chaos added.
	Duplicate bool
	// Status is the answer's status; zero when there was none.
	Status int
	// Err says why there was no answer: the 10 second limit, a refused connection.
	Err error
}
