package practicetest

import (
	"strings"

	"github.com/practicesdk/practice-go/models"
)

// referralTypes returns the area of referral types: the ways in which clients
// find a firm.
func referralTypes() area {
	kind := referralKind{&resource{path: "/referraltypes/{id}", relation: "ReferralTypes"}}
	return area{
		name: "ReferralTypes", resources: []*resource{kind.resource}, handlers: handlers{"getReferralType": kind.read},
		seed: func(sd *seeder, a *account) {
			for _, name := range []string{"Website", "Existing client", "Another lawyer", "Friend or family", "Phone book"} {
				sd.add(a, kind.resource, fields{"name": name}).deleted = name == "Phone book"
			}
		},
	}
}

type referralKind struct{ *resource }

// read returns a referral type. The path may contain its id or its name.
func (kind referralKind) read(s *Server, c *call) (answer, error) {
	if r := kind.named(s.state, c.account.id, c.values[0]); r != nil {
		c.values[0] = r.id
	}
	return kind.get(s, c)
}

// named returns the referral type of the firm with the id or name, or nil if
// there is none.
func (kind referralKind) named(st *state, account, text string) *record {
	for _, r := range st.list(kind.resource, account).All() {
		if strings.EqualFold(r.fields.str("name"), text) || r.id == sameID(text) {
			return r
		}
	}
	return nil
}

// AddReferralType adds a referral type to the firm and returns its id.
func (s *Server) AddReferralType(kind models.ReferralType) string {
	return s.place("/referraltypes/{id}", &kind)
}

// ReferralType returns the referral type with the id and reports whether it
// exists.
func (s *Server) ReferralType(id string) (models.ReferralType, bool) {
	return recordOf[models.ReferralType](s, "/referraltypes/{id}", id)
}
