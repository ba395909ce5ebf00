package practicetest

import (
	"encoding/json"
	"time"
)

func staffHandlers() handlers {
	return handlers{
		"getStaff":    (*Server).getStaff,
		"deleteStaff": (*Server).deleteStaff,
	}
}

// staffMember is a member of a firm; with access to the service it is a user.
type staffMember struct {
	id         string
	account    *account
	version    string
	title      string
	firstName  string
	middleName string
	lastName   string
	initials   string
	phone      wirePhone
	cell       wirePhone
	email      string
	role       string
	rate       int64 // cents an hour
	avatar     string
	former     bool
	enabled    bool
	userID     string
	fill       string
	stroke     string
	licences   []wireLicence
	awayFrom   time.Time
	awayUntil  time.Time
	sparse     bool // the record leaves out what is empty
}

type wirePhone struct {
	AreaCode string `json:"areaCode,omitempty"`
	Number   string `json:"number,omitempty"`
}

type wireLicence struct {
	State  *string `json:"state"`
	Type   *string `json:"type"`
	Number *string `json:"number"`
}

type wireAway struct {
	StartDate string `json:"startDate"`
	EndDate   string `json:"endDate"`
}

// wireSparseStaff is what a record without details holds.
type wireSparseStaff struct {
	head
	ID        string    `json:"id"`
	VersionID string    `json:"versionId"`
	FirstName string    `json:"firstName"`
	LastName  string    `json:"lastName"`
	Phone     wirePhone `json:"phone"`
	Cell      wirePhone `json:"cell"`
	Email     string    `json:"email"`
	Former    bool      `json:"former"`
	Enabled   bool      `json:"enabled"`
	UserID    string    `json:"userId,omitempty"`
}

type wireStaff struct {
	wireSparseStaff
	Title          string        `json:"title"`
	MiddleName     string        `json:"middleName"`
	Initials       string        `json:"initials"`
	Role           string        `json:"role"`
	Rate           json.Number   `json:"rate"`
	Avatar         string        `json:"avatar"`
	ColorFill      string        `json:"colorFill"`
	ColorStroke    string        `json:"colorStroke"`
	LicenceNumbers []wireLicence `json:"licenceNumbers"`
	OutOfOffice    *wireAway     `json:"outOfOffice,omitempty"`
}

func (m *staffMember) wire(l linker) any {
	sparse := wireSparseStaff{
		head: l.head("Staff", "staff", m.id), ID: m.id, VersionID: m.version, FirstName: m.firstName, LastName: m.lastName,
		Phone: m.phone, Cell: m.cell, Email: m.email, Former: m.former, Enabled: m.enabled,
	}
	if m.enabled {
		sparse.UserID = m.userID
	}
	if m.sparse {
		return sparse
	}
	full := wireStaff{
		wireSparseStaff: sparse, Title: m.title, MiddleName: m.middleName, Initials: m.initials, Role: m.role,
		Rate: cents(m.rate), Avatar: m.avatar, ColorFill: m.fill, ColorStroke: m.stroke, LicenceNumbers: m.licences,
	}
	if m.enabled && !m.awayFrom.IsZero() {
		full.OutOfOffice = &wireAway{utc(m.awayFrom), utc(m.awayUntil)}
	}
	return full
}

func (s *Server) ownStaff(c *call) (*staffMember, error) {
	return own(c, s.state.staff, c.value("id"), "staff member", func(m *staffMember) *account { return m.account })
}

// getStaff answers a staff member of the firm.
func (s *Server) getStaff(c *call) ([]byte, error) {
	m, err := s.ownStaff(c)
	if err != nil {
		return nil, err
	}
	return encode(m.wire(c.link)), nil
}

// deleteStaff makes a staff member a former one, whose user loses access.
func (s *Server) deleteStaff(c *call) ([]byte, error) {
	m, err := s.ownStaff(c)
	if err != nil {
		return nil, err
	}
	s.accept(c, "staff", m.id, func(now time.Time, from cause) {
		wasUser := m.enabled
		m.former, m.enabled, m.version = true, false, s.state.ids.next()
		record := encode(m.wire(from.link))
		s.raise(now, from, "staff.updated", record)
		if wasUser {
			s.raise(now, from, "user.unregistered", encode(map[string]string{"id": m.userID}))
		}
	})
	return encode(c.link.staff(m.id)), nil
}
