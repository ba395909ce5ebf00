package practicetest

import (
	"net/http"
	"slices"
	"strings"
)

// state is everything the service knows. The server's lock guards it. Records are
// found by their id in all firms at once, so that another firm's can be told from
// one that does not exist.
type state struct {
	ids           *idSource
	accounts      map[string]*account
	matters       map[string]*matter
	folders       map[string]*folder
	files         map[string]*file
	contacts      map[string]*contact
	staff         map[string]*staffMember
	fees          map[string]*fee
	expenses      map[string]*expense
	activityCodes map[string]*activityCode
	policies      map[string]*policy // by reference
	roles         map[string]*role
	plans         map[string]*plan
	subscriptions []*subscription
	messages      []PortalMessage
}

// account is one firm.
type account struct {
	id         string
	matters    []*matter
	contacts   []*contact
	staff      []*staffMember
	banks      []*bankAccount
	events     []*calendarEvent // by start
	promotions []*promotion
	plan       *plan

	activityCodes []*activityCode
}

// matter belongs to an account and owns a tree of documents.
type matter struct {
	id          string
	account     *account
	number      string
	title       string
	description string
	status      string
	matterType  string
	clients     []*contact
	root        *folder
	fees        []*fee
	expenses    []*expense
	roles       []*role
}

func newState(ids *idSource) *state {
	return &state{
		ids: ids, accounts: map[string]*account{}, matters: map[string]*matter{}, folders: map[string]*folder{},
		files: map[string]*file{}, contacts: map[string]*contact{}, staff: map[string]*staffMember{},
		fees: map[string]*fee{}, expenses: map[string]*expense{}, activityCodes: map[string]*activityCode{}, policies: map[string]*policy{},
		roles: map[string]*role{}, plans: map[string]*plan{},
	}
}

func notFound(what string) *problem {
	return refuse(http.StatusNotFound, "There is no such %s, or it is not visible yet.", what)
}

func otherFirm(what string) *problem {
	return refuse(http.StatusForbidden, "The %s belongs to another account.", what)
}

// own finds a record of the caller's firm.
func own[T any](c *call, all map[string]*T, id, what string, account func(*T) *account) (*T, error) {
	record, known := all[strings.ToLower(id)]
	switch {
	case !known:
		return nil, notFound(what)
	case account(record) != c.account:
		return nil, otherFirm(what)
	}
	return record, nil
}

// ownMatter finds the matter of the path.
func (s *Server) ownMatter(c *call) (*matter, error) {
	return own(c, s.state.matters, c.value("matterId"), "matter", func(m *matter) *account { return m.account })
}

// enabledUser tells whether a user belongs to a firm and has access.
func (st *state) enabledUser(accountID, userID string) bool {
	a := st.accounts[accountID]
	return a != nil && slices.ContainsFunc(a.staff, func(m *staffMember) bool { return m.enabled && m.userID == userID })
}

// dropSubscriptions removes the webhook subscriptions of a grant that has ended.
func (st *state) dropSubscriptions(g *grant) {
	st.subscriptions = slices.DeleteFunc(st.subscriptions, func(sub *subscription) bool { return sub.grant == g })
}
