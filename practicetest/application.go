package practicetest

// applicationSource is the source in events for changes that a user made in the
// vendor's own application.
const applicationSource = "Application"

// applicationTx starts a transaction for a change that a user makes in the
// vendor's own application.
func (s *Server) applicationTx(a *account) *tx {
	user := ""
	if people := s.state.list(s.catalog.byTarget["staff"], a.id).All(); len(people) > 0 {
		user = people[0].fields.str("user")
	}
	return &tx{
		server: s, account: a, now: s.clock.Now().UTC(),
		from: cause{accountID: a.id, userID: user, source: applicationSource, link: s.linkerFor("")},
	}
}

// inApplication changes a record, as a user of the vendor's own application
// would. It returns false if there is no such record.
func (s *Server) inApplication(of *resource, id string, change func(*record)) bool {
	return s.inFirmOf(of, id, func(t *tx, place *slot) bool {
		if place.Now == nil {
			return false
		}
		r, what := t.edit(place.Now), updated
		change(r)
		if r.deleted {
			what = deleted
		}
		t.put(r, what)
		return true
	})
}

// inFirmOf runs change, as a user of the vendor's own application would, in the
// firm that the record belongs to. It commits only if change returns true, and
// returns false if the record is unknown or change returned false.
func (s *Server) inFirmOf(of *resource, id string, change func(*tx, *slot) bool) bool {
	defer s.settled()()
	place := s.state.lookUp(of, id)
	if place == nil {
		return false
	}
	t := s.applicationTx(place.At.account)
	if !change(t, place) {
		return false
	}
	t.commit()
	return true
}
