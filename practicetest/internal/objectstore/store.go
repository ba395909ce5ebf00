// Package objectstore implements the object store behind the pre-signed
// addresses of the embedded service, and a client of an external object store.
// It does not depend on the service.
package objectstore

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Store is an object store that serves pre-signed addresses. It is as strict as
// real ones: an address must be used unchanged, requests must not carry other
// credentials, and an upload must declare its length.
type Store struct {
	now    func() time.Time
	secret []byte

	// OnPut is called after an upload is complete, and OnViolation for a
	// request that a correct client would not send, unless they are nil. Set
	// them before the first request.
	OnPut       func(key string, size int64)
	OnViolation func(r *http.Request, wrong string)

	mu      sync.RWMutex
	objects map[string]object
	puts    int
}

// object is one version of an object. It must not be modified.
type object struct {
	content content
	etag    string
	written time.Time
}

// New returns an empty store that signs addresses with secret.
func New(now func() time.Time, secret []byte) *Store {
	return &Store{now: now, secret: secret, objects: make(map[string]object)}
}

// Put stores an object without an HTTP request and returns its ETag. The caller
// must not modify body afterwards.
func (s *Store) Put(key string, body []byte) (etag string) {
	return s.store(key, inMemory{size: int64(len(body)), parts: [][]byte{body}})
}

// Get returns a copy of an object's content and reports whether the object
// exists.
func (s *Store) Get(key string) ([]byte, bool) {
	found, ok := s.lookup(key)
	if !ok {
		return nil, false
	}
	return readAll(found.content), true
}

func (s *Store) lookup(key string) (object, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	found, ok := s.objects[key]
	return found, ok
}

// store stores a new version of an object. The ETag differs from earlier ones
// even if the content is equal.
func (s *Store) store(key string, c content) (etag string) {
	now := s.now()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.puts++
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", s.puts, key))
	etag = `"` + hex.EncodeToString(sum[:16]) + `"`
	s.objects[key] = object{content: c, etag: etag, written: now}
	return etag
}

// Objects yields the key and a copy of the content of each object.
func (s *Store) Objects() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		s.mu.RLock()
		objects := maps.Clone(s.objects)
		s.mu.RUnlock()
		for key, found := range objects {
			if !yield(key, readAll(found.content)) {
				return
			}
		}
	}
}

// Load replaces the objects by those of another store, with their ETags. The
// stores do not affect each other afterwards.
func (s *Store) Load(from *Store) {
	from.mu.RLock()
	objects, puts := maps.Clone(from.objects), from.puts
	from.mu.RUnlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.objects, s.puts = objects, puts
}

// Forget removes all objects.
func (s *Store) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.objects, s.puts = make(map[string]object), 0
}

// ServeHTTP handles requests to pre-signed addresses.
func (s *Store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Date", s.now().UTC().Format(http.TimeFormat))
	a, fault := s.admit(r)
	switch {
	case fault != nil:
	case r.Method == http.MethodPut:
		fault = s.servePut(w, r, a)
	default:
		fault = s.serveGet(w, r, a)
	}
	if fault != nil {
		fault.write(w)
	}
}

// admit checks the address and the headers of a request. It reports violations
// to OnViolation; an expired address is none.
func (s *Store) admit(r *http.Request) (signedAddress, *refusal) {
	a, fault := s.verify(r)
	for _, check := range []func(*http.Request) *refusal{checkHeaders, checkLength, checkSigned} {
		if found := check(r); found != nil {
			fault = found
			break
		}
	}
	if fault == nil && s.now().After(a.expires) {
		return a, &refusal{
			status: http.StatusForbidden, Code: "AccessDenied", Message: "Request has expired",
			Expires: formatTime(a.expires), ServerTime: formatTime(s.now()),
		}
	}
	if fault != nil && s.OnViolation != nil {
		s.OnViolation(r, fault.Message)
	}
	return a, fault
}

func formatTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

// refusal is an error response of the store.
type refusal struct {
	status int

	XMLName      xml.Name `xml:"Error"`
	Code         string
	Message      string
	Key          string `xml:",omitempty"`
	ArgumentName string `xml:",omitempty"`
	Expires      string `xml:",omitempty"`
	ServerTime   string `xml:",omitempty"`
}

func refuse(status int, code, message string) *refusal {
	return &refusal{status: status, Code: code, Message: message}
}

func signatureMismatch(message string) *refusal {
	return refuse(http.StatusForbidden, "SignatureDoesNotMatch", message)
}

// ErrorBody returns the XML body of an error response.
func ErrorBody(code, message string) []byte {
	return (&refusal{Code: code, Message: message}).body()
}

func (f *refusal) body() []byte {
	text, err := xml.Marshal(f)
	if err != nil {
		panic("objectstore: the error cannot be encoded as XML: " + err.Error())
	}
	return append([]byte(xml.Header), text...)
}

func (f *refusal) write(w http.ResponseWriter) {
	body := f.body()
	w.Header().Set("Content-Type", "application/xml")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(f.status)
	_, _ = w.Write(body) // fails only if the client has disconnected
}

// checkHeaders refuses requests with headers of the API: they would leak its
// credentials to the store.
func checkHeaders(r *http.Request) *refusal {
	for _, name := range []string{"Authorization", "X-Api-Key", "Requestid", "Userid"} {
		if len(r.Header.Values(name)) > 0 {
			return &refusal{
				status: http.StatusBadRequest, Code: "InvalidArgument", ArgumentName: name,
				Message: "Only one auth mechanism allowed: the signature of the URL, but the header " + name + " was also sent.",
			}
		}
	}
	return nil
}

// checkLength refuses an upload that does not declare its length.
func checkLength(r *http.Request) *refusal {
	switch {
	case r.Method != http.MethodPut:
		return nil
	case slices.Contains(r.TransferEncoding, "chunked"):
		return &refusal{
			status: http.StatusNotImplemented, Code: "NotImplemented", ArgumentName: "Transfer-Encoding",
			Message: "A header you provided implies functionality that is not implemented: Transfer-Encoding.",
		}
	case r.Header.Get("Content-Length") == "" && r.ContentLength <= 0:
		return refuse(http.StatusLengthRequired, "MissingContentLength", "You must provide the Content-Length HTTP header.")
	}
	return nil
}

// checkSigned refuses a request with a header that the signature would have to
// cover. An empty header counts as absent, because some HTTP clients cannot
// omit Content-Type.
func checkSigned(r *http.Request) *refusal {
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		if strings.Join(r.Header[name], "") != "" && isSigned(name) {
			return signatureMismatch("The URL was signed for a request without the header " + name + ".")
		}
	}
	return nil
}

// isSigned reports whether a signature must cover the header. This applies to
// the media type, the checksum and the store's own headers,
// X-<vendor>-<property>. The properties are listed, because other software such
// as tracers uses names of the same form.
func isSigned(name string) bool {
	if name == "Content-Type" || name == "Content-Md5" {
		return true
	}
	rest, extension := strings.CutPrefix(name, "X-")
	_, property, _ := strings.Cut(rest, "-")
	return extension && slices.ContainsFunc(signedProperties(), func(start string) bool { return strings.HasPrefix(property+"-", start) })
}

// signedProperties returns prefixes of the properties in the store's own
// headers.
func signedProperties() []string {
	return []string{
		"Acl-", "Bypass-Governance-Retention-", "Checksum-", "Content-Sha256-", "Copy-Source-", "Date-", "Decoded-Content-Length-",
		"Expected-Bucket-Owner-", "Grant-", "Meta-", "Mfa-", "Object-", "Request-Payer-", "Sdk-Checksum-", "Security-Token-",
		"Server-Side-Encryption-", "Storage-Class-", "Tagging-", "Trailer-", "Website-Redirect-Location-", "Write-Offset-Bytes-",
	}
}
