package objectstore

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// signedAddress holds the parameters of a verified pre-signed address.
type signedAddress struct {
	key         string
	expires     time.Time
	disposition string
}

// Presign returns an address that allows one method for one key until expiry,
// which is truncated to seconds. If disposition is not empty, the response has
// it as Content-Disposition. The path contains %2F and %3D, and the query %2F,
// %2B and %3D: clients that decode and re-encode the address invalidate its
// signature.
func (s *Store) Presign(method, key string, expiry time.Time, base, disposition string) string {
	expires := strconv.FormatInt(expiry.Unix(), 10)
	address := base + "/" + escape(key+"=") +
		"?AccessKeyId=" + strings.ToUpper(hex.EncodeToString(s.mac("access key")[:10])) +
		"&Expires=" + expires +
		"&x-security-token=" + escape("IQo/+"+base64.StdEncoding.EncodeToString(s.mac("token", method, key, expires)))
	if disposition != "" {
		address += "&" + DispositionQuery + "=" + escape(disposition)
	}
	path, query, _ := strings.Cut(pathOf(address), "?")
	return address + signatureQuery + s.signature(method, path, query)
}

// DispositionQuery is the query parameter that sets the Content-Disposition of
// the response.
const DispositionQuery = "response-content-disposition"

const signatureQuery = "&Signature="

// verify checks the signature over the raw request URI and returns its address.
func (s *Store) verify(r *http.Request) (signedAddress, *refusal) {
	path, query, _ := strings.Cut(pathOf(r.RequestURI), "?")
	signed, signature, found := strings.Cut(query, signatureQuery)
	if !found {
		return signedAddress{}, refuse(http.StatusForbidden, "AccessDenied", "Access Denied: the URL has no signature.")
	}
	if !hmac.Equal([]byte(signature), []byte(s.signature(r.Method, path, signed))) {
		return signedAddress{}, signatureMismatch("The request signature we calculated does not match the signature you provided.")
	}
	// The signature is valid, so the store itself has written the rest, and
	// parsing cannot fail.
	values, _ := url.ParseQuery(signed)
	expires, _ := strconv.ParseInt(values.Get("Expires"), 10, 64)
	key, _ := url.PathUnescape(path[strings.LastIndexByte(path, '/')+1:])
	return signedAddress{
		key: strings.TrimSuffix(key, "="), expires: time.Unix(expires, 0), disposition: values.Get(DispositionQuery),
	}, nil
}

// signature returns the value of the Signature parameter, already escaped.
func (s *Store) signature(method, path, query string) string {
	return escape(base64.StdEncoding.EncodeToString(s.mac("request", method, path, query)))
}

// SigningKey derives the signing key from the seed of the secrets.
func SigningKey(secrets uint64) []byte {
	key := sha256.Sum256(binary.BigEndian.AppendUint64([]byte("pre-signed addresses"), secrets))
	return key[:]
}

func (s *Store) mac(parts ...string) []byte {
	h := hmac.New(sha256.New, s.secret)
	h.Write([]byte(strings.Join(parts, "\n"))) // writes to a hash do not fail
	return h.Sum(nil)
}

// pathOf returns the path and query of an address.
func pathOf(address string) string {
	if _, rest, absolute := strings.Cut(address, "://"); absolute {
		_, path, _ := strings.Cut(rest, "/")
		return "/" + path
	}
	return address
}

func escape(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
