package practicetest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/practicesdk/practice-go/practicetest/internal/clock"
	"github.com/practicesdk/practice-go/practicetest/internal/host"
	"github.com/practicesdk/practice-go/practicetest/internal/objectstore"
	"github.com/practicesdk/practice-go/practicetest/internal/queue"
)

// Server is the embedded service. It consists of the API, the token endpoint
// and the object store, each on its own origin. A Server is safe for use by
// several goroutines at once.
type Server struct {
	cfg      config
	clock    *Clock
	store    *objectstore.Store
	outside  *objectstore.Remote // nil if content is kept in the embedded store
	courier  *courier
	faults   *faults
	strict   *strictness
	log      *requestLog
	handlers *handlerCount
	catalog  *catalog
	router   router
	scopes   map[string]bool // known scopes
	host     *host.Host
	misuse   func(format string, args ...any) // reports a mistake of the test
	kept     *stateFile                       // nil without a state file

	secrets uint64 // seed of secrets and tokens

	mu          sync.Mutex // guards the following fields
	credentials Credentials
	firm        Firm

	state    *state
	grants   *grantStore
	uploads  map[string]upload // issued upload addresses by object key
	pending  queue.Queue[*write]
	writes   uint64                   // number of accepted writes
	arrived  map[string][]fileVersion // content of files that are not visible yet, by file id
	failures map[string][]failure     // writes that must fail, by operation
	stubs    []*stub
	rates    *rateLimit     // nil means no limit
	polls    map[string]int // number of equal reads since the latest write, by URI; see polled
	pollsOf  uint64         // number of that write
	closed   bool
}

// New returns a service for one test. It serves on an in-memory network, so it
// also works inside a testing/synctest bubble. It is strict: a request that the
// API does not allow fails the test (see [Server.Tolerate] and [WithStrict]).
// The service is closed when the test ends.
func New(t testing.TB, opts ...Option) *Server {
	t.Helper()
	cfg := configured(append([]Option{WithStrict(true)}, opts...))
	s, err := build(cfg, host.Memory(parts()...))
	if err != nil {
		t.Fatalf("practicetest: %v", err)
	}
	s.strict.warned = func(text string) { t.Logf("practicetest: warning: %s", text) }
	if cfg.onViolation == nil {
		s.strict.report = func(text string) { t.Errorf("practicetest: %s", text) }
	}
	s.misuse = func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s%s", fmt.Sprintf(format, args...), placeOfTest())
	}
	t.Cleanup(func() {
		for _, sentence := range s.Unmet() {
			t.Errorf("practicetest: %s", sentence)
		}
		if err := s.Close(); err != nil {
			t.Errorf("practicetest: %v", err)
		}
	})
	return s
}

// Start returns a service that listens on three free loopback ports (see
// [WithListenAddress]). It is not strict unless [WithStrict] is set. The caller
// must close it.
func Start(opts ...Option) (*Server, error) {
	cfg := configured(opts)
	at := host.TCP(cfg.listen, parts()...)
	if err := at.Publish(cfg.publicURL); err != nil {
		return nil, fmt.Errorf("practicetest: invalid public URL: %w", err)
	}
	return build(cfg, at)
}

func build(cfg config, at *host.Host) (*Server, error) {
	if err := cfg.check(); err != nil {
		return nil, fmt.Errorf("practicetest: %w", err)
	}
	kept, err := openStateFile(&cfg)
	if err != nil {
		return nil, fmt.Errorf("practicetest: %w", err)
	}
	clock := clock.New(cfg.start)
	all := described()
	head := beginning(&cfg, clock, kept)
	s := &Server{
		cfg: cfg, clock: &Clock{clock}, faults: newFaults(), strict: &strictness{on: cfg.strict, report: cfg.onViolation}, secrets: head.Secrets, kept: kept, credentials: head.Credentials,
		log: &requestLog{limit: cfg.requestLog, answered: cfg.onRequest}, handlers: &handlerCount{}, catalog: all.catalog,
		router: all.router, scopes: all.scopes, host: at,
		store: objectstore.New(clock.Now, objectstore.SigningKey(head.Secrets)), grants: newGrantStore(newIDSource(head.Secrets, 1)),
		uploads: map[string]upload{}, arrived: map[string][]fileVersion{}, failures: map[string][]failure{},
		misuse: func(format string, args ...any) { panic(fmt.Sprintf(format, args...)) },
	}
	s.store.OnPut = s.stored
	s.store.OnViolation = func(r *http.Request, wrong string) { s.violate(callOf(r), "%s", wrong) }
	if cfg.webhookClient == nil {
		cfg.webhookClient = &http.Client{Transport: at.Callbacks}
	}
	cfg.chaos.seed = cfg.seed
	s.courier = newCourier(clock, cfg.webhookClient, cfg.chaos, s.currentSubscription)
	s.courier.written = func(notification []byte) []byte { return s.form().extended(notification) }
	if err := s.listen(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if err := kept.tell(s); err != nil {
		return nil, errors.Join(fmt.Errorf("practicetest: cannot restore the state: %w", err), s.Close())
	}
	s.outside = s.newOutsideStore()
	s.mu.Lock()
	s.seed(cfg.from())
	s.mu.Unlock()
	if err := s.moveSeeds(at.Life); err != nil {
		return nil, errors.Join(fmt.Errorf("practicetest: cannot copy the initial files to the object store: %w", err), s.Close())
	}
	if err := s.goOn(head); err != nil {
		return nil, errors.Join(fmt.Errorf("practicetest: %w", err), s.Close())
	}
	s.rates = newRateLimit(cfg.ratePerSecond, cfg.rateBurst) // only now, because replayed requests do not count
	at.Ready()
	return s, nil
}

// listen starts the servers of the three origins.
func (s *Server) listen() error {
	return errors.Join(
		s.host.Serve(PartAPI, s.withControl(s.observe(PartAPI, s.recogniseAPI,
			s.faults.wrap(PartAPI, operationOf, s.withStubs(s.linger(s.keeps(PartAPI, http.HandlerFunc(s.serveAPI)))))))),
		s.host.Serve(PartStorage, s.observe(PartStorage, recogniseStorage,
			s.faults.wrap(PartStorage, operationOf, s.keeps(PartStorage, s.store)))),
		s.host.Serve(PartToken, s.observe(PartToken, recogniseToken,
			s.faults.wrap(PartToken, operationOf, s.keeps(PartToken, http.HandlerFunc(s.serveToken))))),
	)
}

func recogniseStorage(r *http.Request, c *call) {
	switch r.Method {
	case http.MethodPut:
		c.operation = "storage.put"
	case http.MethodGet:
		c.operation = "storage.get"
	}
}

// Close stops the service. It closes the connections, cancels running
// deliveries and waits for its goroutines. Further calls have no effect.
func (s *Server) Close() error {
	s.mu.Lock()
	again := s.closed
	s.closed = true
	s.mu.Unlock()
	if again {
		return nil
	}
	s.clock.inner.Close()
	s.courier.close()
	err := s.host.Close()
	s.handlers.close()
	err = errors.Join(err, s.kept.close())
	s.host.Transport.CloseIdleConnections()
	s.host.Callbacks.CloseIdleConnections()
	return err
}

// These constants are the base paths of the origins. The API has a path prefix,
// so that tests detect a client that ignores it.
const (
	basePath      = "/practice/v1"
	storagePath   = "/documents"
	tokenPath     = "/oauth2/token"
	authorizePath = "/oauth2/authorize"
)

// BaseURL returns the base URL of the API, which has a path prefix.
func (s *Server) BaseURL() string { return s.host.Origin(PartAPI) + basePath }

// TokenURL returns the URL of the token endpoint.
func (s *Server) TokenURL() string { return s.host.Origin(PartToken) + tokenPath }

// AuthorizeURL returns the URL of the authorization page. The page does not ask
// a user and redirects to any absolute redirect_uri with an authorization code.
func (s *Server) AuthorizeURL() string { return s.host.Origin(PartToken) + authorizePath }

// StorageURL returns the base URL of uploads and downloads in the embedded
// object store.
func (s *Server) StorageURL() string { return s.host.Origin(PartStorage) + storagePath }

// HTTPClient returns a client that can connect to the three origins and the
// handlers of [Server.Mount]. Its Transport is a *http.Transport.
// [Server.Close] closes its idle connections.
func (s *Server) HTTPClient() *http.Client { return &http.Client{Transport: s.host.Transport} }

// Clock returns the clock of the service.
func (s *Server) Clock() *Clock { return s.clock }

// Credentials returns the credentials of the firm's integration.
func (s *Server) Credentials() Credentials {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.credentials
}

// Firm returns the ids of seeded records.
func (s *Server) Firm() Firm {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.firm
	f.MatterIDs, f.ContactIDs, f.StaffIDs = slices.Clone(f.MatterIDs), slices.Clone(f.ContactIDs), slices.Clone(f.StaffIDs)
	return f
}

// Faults returns the injected faults that are still active, in order of
// precedence. Skip and Times hold the remaining numbers.
func (s *Server) Faults() []Fault { return s.faults.left() }

// Deliveries returns the finished webhook deliveries in the order in which they
// finished. The service keeps the latest 65,536.
func (s *Server) Deliveries() []Delivery { return s.courier.deliveries() }

// Flush waits until every webhook that is due has been delivered or abandoned.
// It returns the error of ctx if ctx ends first.
func (s *Server) Flush(ctx context.Context) error {
	s.settled()()
	return s.courier.flush(ctx)
}

// Mount serves a handler, such as a webhook receiver, on its own origin and
// returns the URL of the origin. Webhook deliveries and [Server.HTTPClient] can
// reach it. [Server.Close] stops it and waits for running calls of the handler,
// which must return when the context of their request ends.
func (s *Server) Mount(h http.Handler) (string, error) {
	return s.host.Mount(s.handlers.track(h))
}

// linkerFor returns a linker for the base URL, followed by the account prefix
// if there is one.
func (s *Server) linkerFor(prefix string) linker {
	if prefix == "" {
		return linker(s.BaseURL())
	}
	return linker(s.BaseURL() + "/" + prefix)
}
