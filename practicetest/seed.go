package practicetest

import (
	"encoding/binary"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
)

// seeder makes up the firms. What it makes follows from the seed, the options and
// the clock alone.
type seeder struct {
	*state
	server *Server
	now    time.Time
}

// idSource makes up identifiers and everything else that a seed decides.
type idSource struct{ *rand.Rand }

func newIDSource(seed, stream uint64) *idSource {
	return &idSource{rand.New(rand.NewPCG(seed, stream))}
}

// next is a random UUID in lower case.
func (s *idSource) next() string {
	var id uuid.UUID
	binary.BigEndian.PutUint64(id[:8], s.Uint64())
	binary.BigEndian.PutUint64(id[8:], s.Uint64())
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return id.String()
}

// pick takes one of several.
func pick[T any](s *idSource, from []T) T { return from[s.IntN(len(from))] }

// seed fills a new service: the firm, another firm for what must not be reached,
// the client with its tokens, and a webhook subscription. The lock must be held.
func (s *Server) seed() {
	now := s.clock.Now().UTC().Truncate(100 * time.Nanosecond)
	sd := &seeder{state: s.state, server: s, now: now}
	firm := sd.firm(s.cfg.matters)
	other := sd.firm(1)
	sd.calendar(firm, s.cfg.events, newIDSource(s.cfg.seed, 2))
	sd.calendar(other, 20, newIDSource(s.cfg.seed, 3))
	sd.activityCodes(firm, newIDSource(s.cfg.seed, 4))
	sd.activityCodes(other, newIDSource(s.cfg.seed, 5))
	s.openAccess(firm, now)
	hook := sd.webhook(firm, s.credentials.ClientID, s.grants.grants[0])
	otherHook := sd.webhook(other, "client-"+s.state.ids.next(), nil)
	s.firm = describe(firm, other)
	s.firm.WebhookID, s.firm.OtherFirmWebhookID = hook.id, otherHook.id
}

// openAccess registers the client, with tokens for its first user. The client keeps
// its name and its secrets when the firm is made up again.
func (s *Server) openAccess(a *account, now time.Time) {
	id, secret, key := "client-"+s.state.ids.next(), "secret-"+s.state.ids.next(), "key-"+s.state.ids.next()
	if s.cfg.randomSecrets {
		secret, key = "secret-"+uuid.NewString(), "key-"+uuid.NewString()
	}
	if s.credentials.ClientID == "" {
		s.credentials = Credentials{ClientID: id, ClientSecret: secret, APIKey: key}
	}
	s.credentials.UserID, s.credentials.AccountID = a.staff[0].userID, a.id
	g := s.grants.open(a.id, a.staff[0].userID)
	s.credentials.AccessToken = s.grants.addAccess(g, now.Add(s.cfg.tokenLifetime))
	s.credentials.RefreshToken = s.grants.addRefresh(g, now.Add(s.cfg.refreshLifetime))
}

// firm makes an account with everything but its calendar.
func (sd *seeder) firm(matters int) *account {
	a := &account{id: sd.ids.next()}
	sd.accounts[a.id] = a
	sd.people(a)
	for i := range matters {
		m := sd.matter(a, i)
		sd.documents(m, i == 0)
		sd.work(m)
	}
	sd.banks(a)
	sd.guard(a)
	sd.plan(a)
	return a
}

func (sd *seeder) webhook(a *account, clientID string, g *grant) *subscription {
	created := sd.past(400)
	sub := &subscription{
		id: sd.ids.next(), accountID: a.id, clientID: clientID, grant: g, name: "Layouts and stages",
		eventTypes: []string{"layoutdesign.updated", "stageset.updated"}, url: "https://hooks.example.test/practice",
		created: created, updated: created.Add(sd.now.Sub(created) / 2).Truncate(100),
	}
	sd.subscriptions = append(sd.subscriptions, sub)
	return sub
}

// past is a moment within the given number of days before now.
func (sd *seeder) past(days int) time.Time {
	ticks := sd.ids.Int64N(int64(days) * 24 * 3600 * 10_000_000)
	return sd.now.Add(-time.Duration(ticks) * 100)
}

// date is a civil date within the given number of days before now.
func (sd *seeder) date(days int) string { return sd.past(days).Format(time.DateOnly) }

func describe(a, other *account) Firm {
	m, o := a.matters[0], other.matters[0]
	f := Firm{
		AccountID: a.id, MatterID: m.id, FolderID: m.root.folders[0].id, FileID: m.root.files[0].id,
		VersionID: m.root.files[0].versions[0].id,
		ContactID: a.contacts[0].id, RelatedContactID: a.contacts[0].relations[0].to.id,
		TagID: a.contacts[0].tags[0].id, TagName: a.contacts[0].tags[0].name,
		StaffID: a.staff[1].id, UserID: a.staff[1].userID, FeeID: m.fees[0].id, ExpenseID: m.expenses[0].id,
		PolicyReference: m.id, RoleID: m.roles[0].id, SubscriptionID: a.plan.id, PromotionID: a.promotions[0].id,
		PaymentMethodID: a.plan.paymentID, ActivityCodeID: a.activityCodes[0].id,
		OtherAccountID: other.id, OtherFirmMatterID: o.id, OtherFirmStaffID: other.staff[1].id,
		OtherFirmContactID: other.contacts[0].id, OtherFirmFolderID: o.root.folders[0].id,
		OtherFirmFileID: o.root.files[0].id, OtherFirmUserID: other.staff[1].userID, OtherFirmPolicyReference: o.id,
		OtherFirmSubscriptionID: other.plan.id, OtherFirmActivityCodeID: other.activityCodes[0].id,
	}
	for _, one := range a.matters {
		f.MatterIDs = append(f.MatterIDs, one.id)
	}
	for _, one := range a.contacts {
		f.ContactIDs = append(f.ContactIDs, one.id)
	}
	for _, one := range a.staff {
		f.StaffIDs = append(f.StaffIDs, one.id)
	}
	return f
}
