package models

// StaffMember is a person who works or worked for the firm. Specification, Staff member.
type StaffMember struct {
	Hypermedia
	// ID identifies the staff member, a UUID. Empty when absent. Specification, Staff member.
	ID string `json:"id"`
	// VersionID identifies the version of the record, a UUID. Empty when absent. Specification, Staff member.
	VersionID string `json:"versionId"`
	// Title is the form of address, for example Ms. Empty when absent. Specification, Staff member.
	Title string `json:"title"`
	// FirstName is the given name. Empty when absent. Specification, Staff member.
	FirstName string `json:"firstName"`
	// MiddleName is the middle name. Often empty. Specification, Staff member.
	MiddleName string `json:"middleName"`
	// LastName is the family name. Empty when absent. Specification, Staff member.
	LastName string `json:"lastName"`
	// Initials abbreviate the name. Empty when absent. Specification, Staff member.
	Initials string `json:"initials"`
	// Phone is the telephone number. Zero when absent. Specification, Staff member.
	Phone Phone `json:"phone"`
	// Cell is the mobile number. Zero when absent. Specification, Staff member.
	Cell Phone `json:"cell"`
	// Email is the e-mail address. Empty when absent. Specification, Staff member.
	Email string `json:"email"`
	// Role is the position in the firm, for example Bookkeeper. Empty when absent. Specification, Staff member.
	Role string `json:"role"`
	// Rate is the hourly rate in dollars. May be absent, which is not zero. Specification, Staff member.
	Rate Decimal `json:"rate"`
	// Avatar is the address of a picture. Empty when absent. Specification, Staff member.
	Avatar string `json:"avatar"`
	// Former tells whether the person has left; deleting a staff member sets it. May be absent.
	// Specification, Staff member, States and transitions.
	Former Opt[bool] `json:"former"`
	// Enabled tells whether the person has access as a user. May be absent. Specification, Staff member.
	Enabled Opt[bool] `json:"enabled"`
	// UserID is the UUID of the user. Empty unless enabled. Specification, Staff member.
	UserID string `json:"userId"`
	// ColorFill is a colour as a hex code, for example #797d85. Empty when absent. Specification, Staff member.
	ColorFill string `json:"colorFill"`
	// ColorStroke is a colour as a hex code. Empty when absent. Specification, Staff member.
	ColorStroke string `json:"colorStroke"`
	// LicenceNumbers holds the licences to practise. Empty when absent. Specification, Staff member.
	LicenceNumbers []LicenceNumber `json:"licenceNumbers"`
	// OutOfOffice is the time the person is away. Zero unless enabled. Specification, Staff member.
	OutOfOffice OutOfOffice `json:"outOfOffice"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}

// Phone is a telephone number in two parts. Specification, Staff member.
type Phone struct {
	// AreaCode is the part before the number. Empty when absent. Specification, Staff member.
	AreaCode string `json:"areaCode"`
	// Number is the number, sometimes with its area code. Empty when absent. Specification, Staff member.
	Number string `json:"number"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}

// LicenceNumber is a licence to practise. Specification, Staff member.
type LicenceNumber struct {
	// State is where the licence is valid. Empty when absent. Specification, Staff member.
	State string `json:"state"`
	// Type is the kind of licence. Empty when absent. Specification, Staff member.
	Type string `json:"type"`
	// Number is the number of the licence. Empty when absent. Specification, Staff member.
	Number string `json:"number"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}

// OutOfOffice is a time of absence. Specification, Staff member.
type OutOfOffice struct {
	// StartDate is when the absence begins. Zero when absent. Specification, Staff member.
	StartDate DateTime `json:"startDate"`
	// EndDate is when the absence ends. Zero when absent. Specification, Staff member.
	EndDate DateTime `json:"endDate"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}
