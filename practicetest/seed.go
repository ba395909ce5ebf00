package practicetest

import (
	"encoding/binary"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/practicesdk/practice-go/practicetest/internal/objectstore"
)

// seeder generates the firms. The result depends only on the seed, the options
// and the clock.
type seeder struct {
	*state
	objects *objectstore.Store // content of the files
	whole   bool               // generate everything at once, nothing on first use
	now     time.Time
	matters int       // number of matters to generate
	events  int       // number of calendar events to generate
	rand    *idSource // random source of the area that is being seeded

	later *seeder // seeder for the parts that are generated on first use

	// The following fields are set only while the records of a matter are
	// generated.
	known      map[string][]*record // firm-wide records by target, in their seeded state
	below      string               // id of the matter
	placeBelow uint32               // index of the matter; see bareMatter.place
	count      map[string]uint64    // number of ids assigned, by kind
}

// source returns the random source of an area, for one of the firms or for the
// records below a matter.
func (sd *seeder) source(area string, firm int) *idSource {
	h := fnv.New64a()
	_, _ = h.Write([]byte(area + sd.below)) // writes to a hash do not fail
	return newIDSource(sd.from.Number, h.Sum64()+uint64(firm))
}

// idSource generates the ids and other random values of a seed.
type idSource struct{ *rand.Rand }

func newIDSource(seed, stream uint64) *idSource {
	return &idSource{rand.New(rand.NewPCG(seed, stream))}
}

// next returns a random UUID in lower case.
func (s *idSource) next() string {
	var id uuid.UUID
	binary.BigEndian.PutUint64(id[:8], s.Uint64())
	binary.BigEndian.PutUint64(id[8:], s.Uint64())
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return id.String()
}

// pick returns a random element.
func pick[T any](s *idSource, from []T) T { return from[s.IntN(len(from))] }

// seed sets the contents of a new service: the firm, another firm whose records
// must not be accessible, the client with its tokens, and webhook
// subscriptions. The caller must hold the lock.
func (s *Server) seed(from Seed) {
	now := s.clock.Now().UTC().Truncate(100 * time.Nanosecond)
	s.state, s.firm = s.firms(from, s.clock.dated(now))
	s.state.consistency = s.cfg.consistency
	s.openAccess(s.firm.AccountID, s.firm.OwnerUserID, now)
	own, other := s.state.subscriptions[0], s.state.subscriptions[1]
	own.clientID, own.grant = s.credentials.ClientID, s.grants.grants[0]
	other.clientID = "client-" + s.state.ids.next()
}

// openAccess registers the client and issues tokens for a user of the firm.
// When a firm is generated again, the client keeps its id and secrets.
func (s *Server) openAccess(accountID, user string, now time.Time) {
	id, secret, key := "client-"+s.state.ids.next(), "secret-"+s.state.ids.next(), "key-"+s.state.ids.next()
	if s.cfg.randomSecrets {
		secret, key = "secret-"+uuid.NewString(), "key-"+uuid.NewString()
	}
	if s.cfg.publicClient {
		secret = ""
	}
	if s.credentials.ClientID == "" {
		s.credentials = Credentials{ClientID: id, ClientSecret: secret, APIKey: key}
	}
	s.credentials.UserID, s.credentials.AccountID = user, accountID
	g := s.grants.open(accountID, user, nil)
	s.credentials.AccessToken = s.grants.addAccess(g, nil, now.Add(s.cfg.tokenLifetime))
	s.credentials.RefreshToken = s.grants.addRefresh(g, now.Add(s.cfg.refreshLifetime))
}

// firm generates an account. Each area has its own random source, so that a
// change in one area does not change the data of another.
func (sd *seeder) firm() *account {
	a := &account{sd.newID("account"), sd.from.Number}
	sd.accounts[a.id] = a
	own := *sd
	sd.later = &own
	for _, one := range sd.by.areas {
		if one.seed != nil {
			sd.rand = sd.source(one.name, len(sd.accounts))
			one.seed(sd, a)
		}
	}
	own.known = map[string][]*record{}
	for _, target := range []string{"staff", "contacts", "mattertypes", "referraltypes", "stagesets"} {
		own.known[target] = slices.Clone(sd.all(a, target))
	}
	sd.furnish(sd.first("matters", a.id))
	if sd.whole {
		sd.furnishAll()
	}
	return a
}

// add creates a record with a new id below the given parents.
func (sd *seeder) add(a *account, of *resource, f fields, above ...string) *record {
	return sd.addAs(a, of, sd.newID(of.path), f, above...)
}

// addAs creates a record with the given id.
func (sd *seeder) addAs(a *account, of *resource, id string, f fields, above ...string) *record {
	r := sd.make(a, of, id, f, above)
	sd.put(r)
	return r
}

func (sd *seeder) make(a *account, of *resource, id string, f fields, above []string) *record {
	return &record{
		of: of, id: id, account: a, above: above, author: sd.user(a, 0), created: sd.now, updated: sd.now, fields: f,
		text: &recordTexts{}, revision: 1,
	}
}

// makeMany creates n records without members. It allocates them together, which
// is faster.
func (sd *seeder) makeMany(a *account, of *resource, n int) []*record {
	block, texts, all := make([]record, n), make([]recordTexts, n), make([]*record, n)
	author := sd.user(a, 0)
	for i := range block {
		block[i] = record{
			of: of, id: sd.newID(of.path), account: a, author: author, created: sd.now, updated: sd.now, text: &texts[i], revision: 1,
		}
		all[i] = &block[i]
	}
	return all
}

// putAll stores new records of one list. It sorts the list only once.
func (sd *seeder) putAll(all []*record) {
	for _, r := range all {
		sd.number++
		r.number = sd.number
	}
	sd.PutNew(all)
}

// all returns the firm's records of the resource with the target. Matters may
// lack members that are generated on first use.
func (sd *seeder) all(a *account, target string) []*record {
	if known := sd.known[target]; known != nil {
		return known
	}
	return sd.list(sd.resource(target), a.id).Bare()
}

// first returns the id of the first record in a list.
func (sd *seeder) first(target, owner string) string {
	return sd.all(&account{id: owner}, target)[0].id
}

// user returns the user id of the i-th staff member, or "" if there is none
// yet.
func (sd *seeder) user(a *account, i int) string {
	if people := sd.all(a, "staff"); i < len(people) {
		return people[i].fields.str("user")
	}
	return ""
}

func (sd *seeder) webhook(a *account) *subscription {
	created := sd.past(400)
	sub := &subscription{
		id: sd.newID("webhook"), accountID: a.id, name: "Layouts and stages",
		eventTypes: []string{"layoutdesign.updated", "stageset.updated"}, url: "https://hooks.example.test/practice",
		created: created, updated: created.Add(sd.now.Sub(created) / 2).Truncate(100),
	}
	sd.subscriptions = append(sd.subscriptions, sub)
	return sub
}

// past returns a random time within the given number of days before now.
func (sd *seeder) past(days int) time.Time {
	ticks := sd.rand.Int64N(int64(days) * 24 * 3600 * 10_000_000)
	return sd.now.Add(-time.Duration(ticks) * 100)
}

// date returns a random date within the given number of days before now.
func (sd *seeder) date(days int) string { return sd.past(days).Format(time.DateOnly) }

func ids(all []*record) []string {
	return mapped(all, func(r *record) string { return r.id })
}

func (sd *seeder) describe(a, other *account) Firm {
	m, o := sd.first("matters", a.id), sd.first("matters", other.id)
	file, contact := sd.list(sd.resource("files"), m).All()[0], sd.all(a, "contacts")[0]
	users := sd.all(a, "users")
	tag, plan := tagsOf(contact)[0], sd.first("subscriptions", a.id)
	f := Firm{
		AccountID: a.id, MatterID: m, MatterIDs: ids(sd.all(a, "matters")), FolderID: sd.first("folders", m), FileID: file.id,
		VersionID: current(file).id, DocumentVersionID: current(file).document(file), ContactID: contact.id, RelatedContactID: tiesOf(contact)[0], ContactIDs: ids(sd.all(a, "contacts")),
		TagID: tag.str("id"), TagName: tag.str("name"), StaffID: sd.all(a, "staff")[1].id, StaffIDs: ids(sd.all(a, "staff")), UserID: sd.user(a, 1),
		InvoiceID: sd.first("invoices", m), BankAccountID: sd.trust(a), OtherFirmBankAccountID: sd.trust(other), ProtectionID: sd.first("protected-balances", sd.trust(a)), TransactionID: sd.first("transactions", sd.trust(a)),
		OwnerUserID: sd.user(a, 0), ColleagueUserID: sd.user(a, 3), NewcomerUserID: users[len(users)-1].id,
		FeeID: sd.first("fees", m), ExpenseID: sd.first("expenses", m), ActivityCodeID: sd.first("activitycodes", a.id),
		GroupID: sd.first("groups", a.id), OtherFirmGroupID: sd.first("groups", other.id), PolicyReference: m, RoleID: sd.first("roles", m), NotificationID: sd.first("notifications", a.id), OtherFirmNotificationID: sd.first("notifications", other.id),
		PortalTaskID:   sd.list(sd.by.byPath("/matters/{matterId}/portal/tasks/{taskId}"), m).All()[0].id,
		RelationshipID: sd.first("relationships", sd.first("roles", m)), SubscriptionID: plan, PromotionID: sd.first("promotions", a.id),
		TaskID: sd.first("tasks", a.id), SubtaskID: sd.first("subtasks", sd.first("tasks", a.id)),
		TaskDocumentID: sd.first("documents", sd.first("tasks", a.id)), OtherFirmTaskID: sd.first("tasks", other.id),
		PaymentMethodID: sd.first("paymentmethods", plan), OtherAccountID: other.id, OtherFirmMatterID: o,
		OtherFirmStaffID: sd.all(other, "staff")[1].id, OtherFirmContactID: sd.first("contacts", other.id),
		OtherFirmFolderID: sd.first("folders", o), OtherFirmFileID: sd.first("files", o), OtherFirmUserID: sd.user(other, 1),
		OtherFirmPolicyReference: o, OtherFirmSubscriptionID: sd.first("subscriptions", other.id),
		OtherFirmActivityCodeID: sd.first("activitycodes", other.id),
	}
	below := sd.list(sd.resource("folders"), f.FolderID).All()
	f.SubfolderID, f.OtherFirmSubfolderID = below[len(below)-1].id, sd.list(sd.resource("folders"), o).All()[1].id
	sd.describePlan(&f, a, other)
	sd.describePlugins(&f, a, other)
	sd.describeCalendar(&f, a, other)
	sd.describeMatters(&f, a, other)
	return f
}
