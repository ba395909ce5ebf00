package objectstore_test

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"github.com/practicesdk/practice-go/practicetest"
)

// signer signs URLs of a bucket with SigV4 in the query.
type signer struct {
	endpoint string // host and port in the URLs
	secret   string
	signer   *v4.Signer

	mu     sync.Mutex
	change func(*practicetest.PresignRequest) // changes GET and PUT requests before signing; nil: no change
	wrong  bool                               // sign GET and PUT requests wrongly
	signed []practicetest.PresignRequest      // for GET and PUT
}

func newSigner(endpoint, secret string) *signer {
	return &signer{endpoint: endpoint, secret: secret, signer: v4.NewSigner(func(o *v4.SignerOptions) {
		o.DisableURIPathEscaping = true // the store requires the path as sent
	})}
}

// sign implements practicetest.Presigner.
func (s *signer) sign(r practicetest.PresignRequest) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Method != http.MethodHead {
		if s.change != nil {
			s.change(&r)
		}
		s.signed = append(s.signed, r)
	}
	address, err := s.address(r)
	if s.wrong && r.Method != http.MethodHead {
		address = strings.Replace(address, "X-Amz-Signature=", "X-Amz-Signature=0", 1)
		address = address[:len(address)-1]
	}
	return address, err
}

func (s *signer) address(r practicetest.PresignRequest) (string, error) {
	query := url.Values{"X-Amz-Expires": {strconv.Itoa(int(r.Expiry.Sub(r.Issued) / time.Second))}}
	for name, values := range r.Query {
		query[name] = values
	}
	address := url.URL{Scheme: "http", Host: s.endpoint, Path: "/" + bucket + "/" + r.Key, RawQuery: query.Encode()}
	request, err := http.NewRequest(r.Method, address.String(), nil) //nolint:noctx // it is signed, not sent
	if err != nil {
		return "", err
	}
	credentials := aws.Credentials{AccessKeyID: accessKey, SecretAccessKey: s.secret}
	signed, _, err := s.signer.PresignHTTP(context.Background(), credentials, request, "UNSIGNED-PAYLOAD", "s3", region, r.Issued)
	return signed, err
}

// onRequest sets the change of later requests.
func (s *signer) onRequest(change func(*practicetest.PresignRequest)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.change = change
}

// signWrongly sets whether later signatures are wrong.
func (s *signer) signWrongly(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wrong = on
}

// addresses returns the signed URLs of a method.
func (s *signer) addresses(method string) (found []practicetest.PresignRequest) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.signed {
		if r.Method == method {
			found = append(found, r)
		}
	}
	return found
}
