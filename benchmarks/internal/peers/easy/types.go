// Package easy holds the records as a program without the library writes
// them: structs for encoding/json, pointers where null occurs, float64 for
// money, and text for times, because time.Time refuses a time without a zone.
package easy

// Link points to another record.
type Link struct {
	ID       *string `json:"id"`
	Href     string  `json:"href"`
	Relation *string `json:"relation"`
	Method   *string `json:"method"`
}

// Event is a calendar event.
type Event struct {
	Href              string         `json:"href"`
	Relation          string         `json:"relation"`
	Method            string         `json:"method"`
	Self              *Link          `json:"self"`
	ID                string         `json:"id"`
	Matter            *Link          `json:"matter"`
	Attendees         []Link         `json:"attendees"`
	ExternalAttendees []Link         `json:"externalAttendees"`
	EventType         any            `json:"eventType"`
	Type              string         `json:"type"`
	Subject           string         `json:"subject"`
	Description       string         `json:"description"`
	Location          string         `json:"location"`
	AllDay            bool           `json:"allDay"`
	NonBillable       bool           `json:"nonBillable"`
	StartTime         string         `json:"startTime"`
	EndTime           string         `json:"endTime"`
	TimeZone          string         `json:"timeZone"`
	LastUpdated       string         `json:"lastUpdated"`
	AdditionalData    map[string]any `json:"additionalData"`
	IsDeleted         bool           `json:"isDeleted"`
}

// EventPage is a page of calendar events.
type EventPage struct {
	Value  []Event `json:"value"`
	Offset int     `json:"offset"`
	Limit  int     `json:"limit"`
	Size   int     `json:"size"`
	Next   *Link   `json:"next"`
}

// Account is a bank account.
type Account struct {
	ID              string           `json:"id"`
	Href            string           `json:"href"`
	Relation        string           `json:"relation"`
	Method          string           `json:"method"`
	Self            *Link            `json:"self"`
	Type            string           `json:"type"`
	Status          *int             `json:"status"`
	Matter          *Link            `json:"matter"`
	AccountType     *int             `json:"accountType"`
	AccountName     string           `json:"accountName"`
	AccountNumber   string           `json:"accountNumber"`
	BankName        string           `json:"bankName"`
	BranchNumber    string           `json:"branchNumber"`
	BranchName      string           `json:"branchName"`
	Balance         *float64         `json:"balance"`
	ContactBalances []ContactBalance `json:"contactBalances"`
	MatterBalances  []MatterBalance  `json:"matterBalances"`
}

// ContactBalance is what one contact of one matter holds.
type ContactBalance struct {
	Matter           *Link    `json:"matter"`
	Contact          *Link    `json:"contact"`
	Balance          *float64 `json:"balance"`
	ProtectedBalance *float64 `json:"protectedBalance"`
	AvailableBalance *float64 `json:"availableBalance"`
	LastUpdated      *string  `json:"lastUpdated"`
}

// MatterBalance is what one matter holds.
type MatterBalance struct {
	Matter                    *Link    `json:"matter"`
	Balance                   *float64 `json:"balance"`
	ProtectedBalance          *float64 `json:"protectedBalance"`
	AvailableBalance          *float64 `json:"availableBalance"`
	UnpresentedChequesBalance *float64 `json:"unpresentedChequesBalance"`
	LastUpdated               *string  `json:"lastUpdated"`
}

// AccountList is the list of bank accounts.
type AccountList struct {
	Value []Account `json:"value"`
}

// Staff is a staff member.
type Staff struct {
	Href           string   `json:"href"`
	Relation       string   `json:"relation"`
	Method         string   `json:"method"`
	Self           *Link    `json:"self"`
	ID             string   `json:"id"`
	VersionID      string   `json:"versionId"`
	Title          string   `json:"title"`
	FirstName      string   `json:"firstName"`
	MiddleName     string   `json:"middleName"`
	LastName       string   `json:"lastName"`
	Initials       string   `json:"initials"`
	Phone          *Phone   `json:"phone"`
	Cell           *Phone   `json:"cell"`
	Email          string   `json:"email"`
	Role           string   `json:"role"`
	Rate           *float64 `json:"rate"`
	Avatar         string   `json:"avatar"`
	Former         *bool    `json:"former"`
	Enabled        *bool    `json:"enabled"`
	UserID         string   `json:"userId"`
	ColorFill      string   `json:"colorFill"`
	ColorStroke    string   `json:"colorStroke"`
	LicenceNumbers []Number `json:"licenceNumbers"`
	OutOfOffice    *Absence `json:"outOfOffice"`
}

// Phone is a telephone number.
type Phone struct {
	AreaCode *string `json:"areaCode"`
	Number   *string `json:"number"`
}

// Number is a licence number.
type Number struct {
	State  *string `json:"state"`
	Type   *string `json:"type"`
	Number *string `json:"number"`
}

// Absence is a time out of office.
type Absence struct {
	StartDate *string `json:"startDate"`
	EndDate   *string `json:"endDate"`
}

// FeePatch changes a fee; what is nil is not sent.
type FeePatch struct {
	FeeDate               *string   `json:"feeDate,omitempty"`
	Subject               *string   `json:"subject,omitempty"`
	UpdatedByUserID       *string   `json:"updatedByUserId,omitempty"`
	StaffID               *string   `json:"staffId,omitempty"`
	InvoiceID             *string   `json:"invoiceId,omitempty"`
	ActivityCode          *string   `json:"activityCode,omitempty"`
	FeeType               *int      `json:"feeType,omitempty"`
	Description           *string   `json:"description,omitempty"`
	Duration              *int      `json:"duration,omitempty"`
	DurationWorked        *int      `json:"durationWorked,omitempty"`
	Rate                  *float64  `json:"rate,omitempty"`
	Tax                   *float64  `json:"tax,omitempty"`
	TaxInclusive          *bool     `json:"taxInclusive,omitempty"`
	TaxExempt             *bool     `json:"taxExempt,omitempty"`
	TaxOutOfScope         *bool     `json:"taxOutOfScope,omitempty"`
	Finalized             *bool     `json:"finalized,omitempty"`
	IsWrittenOff          *bool     `json:"isWrittenOff,omitempty"`
	IsBillable            *bool     `json:"isBillable,omitempty"`
	IsInvoicedExternally  *bool     `json:"isInvoicedExternally,omitempty"`
	SourceItems           []FeeItem `json:"sourceItems,omitempty"`
	CreatedFromActivityID *string   `json:"createdFromActivityId,omitempty"`
}

// FeeItem is a sub activity of a fee.
type FeeItem struct {
	Description *string `json:"description,omitempty"`
	Duration    *int    `json:"duration,omitempty"`
	IsBillable  *bool   `json:"isBillable,omitempty"`
}
