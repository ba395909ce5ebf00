package practice

import (
	"strings"

	"github.com/google/uuid"
)

// RequestIDSigner makes the RequestIds of a client. The Signer of package
// requestid is one.
type RequestIDSigner interface {
	// NewRequestID returns an id that no other request has. It is called from
	// many goroutines at once.
	NewRequestID() string
}

// WithRequestIDSigner has the RequestId of every call made by signer, so that
// a webhook receiver can tell the events that this integration caused from all
// others, see webhook.IgnoreOwn. An id that a call brings along with
// WithRequestID is sent as it is: it is recognised only when the signer made
// it. Without this option ids are random (Specification, Delivery rules, 4).
func WithRequestIDSigner(signer RequestIDSigner) ClientOption {
	return clientOption(func(s *settings) error {
		if signer == nil {
			return &ConfigError{"WithRequestIDSigner", "must not be nil"}
		}
		s.signer = signer
		return nil
	})
}

// WithRequestID sends id as the RequestId header instead of a new one. The
// service returns it and repeats it in the webhook events that the request
// causes (Specification, What the service does, 6). It is refused on walks,
// whose pages are requests of their own.
func WithRequestID(id string) CallOption {
	return callOption(func(s *callSettings) error {
		if reason := badRequestID(id); reason != "" {
			return &ConfigError{"WithRequestID", reason}
		}
		s.requestID = id
		return nil
	})
}

// chooseRequestID gives the call an id unless it brought one.
func (p *call) chooseRequestID() error {
	if p.settings.requestID != "" {
		return nil
	}
	signer := p.client.settings.signer
	if signer == nil {
		p.settings.requestID = uuid.NewString()
		return nil
	}
	id := signer.NewRequestID()
	if reason := badRequestID(id); reason != "" {
		return &ConfigError{"WithRequestIDSigner", "made an id that cannot be sent: an id " + reason}
	}
	p.settings.requestID = id
	return nil
}

// badRequestID says why a text cannot be sent as a RequestId, or nothing. The
// signature of an event puts a | behind it.
func badRequestID(id string) string {
	return reasonIf(id == "" || len(id) > 128 || !validHeaderValue(id) || strings.Contains(id, "|"),
		"must be 1 to 128 characters that fit into a header, without |")
}
