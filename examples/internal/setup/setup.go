// Package setup returns a client for the example programs: of the service that
// the environment names, or of an embedded service that it starts.
package setup

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/practicetest"
)

// Options holds the settings of a program besides the environment.
type Options struct {
	Program string                  // name for the User-Agent header
	Client  []practice.ClientOption // more settings of the client
	Service []practicetest.Option   // settings of the embedded service
}

// Service is a service and a client for it.
type Service struct {
	Client   *practice.Client
	BaseURL  string
	ClientID string // part of webhook signatures
	Embedded bool   // started by this program
	SignIn   string // how the client gets its access tokens

	ids      map[string]string
	env      Env
	embedded *practicetest.Server
	told     int // late failures that were returned
}

// ErrLate reports that a write was accepted and has failed later.
var ErrLate = errors.New("a write has failed late")

// Open returns a client for the service that the environment names. Without a
// base address in it, it starts the embedded service.
func Open(env Env, options Options) (*Service, error) {
	access := accessFrom(env)
	s := &Service{env: env}
	if access.BaseURL == "" {
		server, err := practicetest.Start(options.Service...)
		if err != nil {
			return nil, err
		}
		s.Embedded, s.embedded = true, server
		s.ids = identifiers(server)
		access = accessTo(server)
	}
	if err := s.connect(access, options); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Service) connect(access access, options Options) error {
	grant, signIn, err := access.grant()
	if err != nil {
		return err
	}
	settings := []practice.ClientOption{practice.WithAPIKey(access.APIKey.Reveal()), grant, practice.WithUserAgent(options.Program)}
	if !Loopback(access.BaseURL) {
		settings = append(settings, practice.WithRateLimit(5, 5)) // what the service is documented to allow
	}
	s.Client, err = practice.NewClient(access.BaseURL, append(settings, options.Client...)...)
	s.BaseURL, s.ClientID, s.SignIn = access.BaseURL, access.ClientID, signIn
	return err
}

// Server returns the embedded service, or nil if there is none.
func (s *Service) Server() *practicetest.Server { return s.embedded }

// ID returns the identifier in the variable PRACTICE_ with this name, else the
// one of the seeded firm, else "".
func (s *Service) ID(name string) string {
	if id := s.env.get(name); id != "" {
		return id
	}
	return s.ids[name]
}

// LateFailures returns the writes that the embedded service has accepted and
// that have failed since the last call. No answer reports them.
func (s *Service) LateFailures() []string {
	if s.embedded == nil {
		return nil
	}
	s.embedded.Settle()
	all := s.embedded.LateFailures()
	failed := all[min(s.told, len(all)):]
	s.told = len(all)
	return failed
}

// Close ends the connections, and the embedded service if there is one. A write
// that has failed late there is an error, an ErrLate.
func (s *Service) Close() error {
	if s.Client != nil {
		s.Client.CloseIdleConnections()
	}
	if s.embedded == nil {
		return nil
	}
	var late error
	if failed := s.LateFailures(); len(failed) > 0 {
		late = fmt.Errorf("%w: %s", ErrLate, strings.Join(failed, "; "))
	}
	return errors.Join(late, s.embedded.Close())
}

// Loopback reports whether an address leads to this machine.
func Loopback(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	host := u.Hostname()
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback()
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}
