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

// signedAddress holds the parameters of a verified address.
type signedAddress struct {
	key         string
	expires     time.Time
	disposition string
}

// Presign returns an address that is good for one method and one key until
// expiry, a whole second. The answer has the Content-Disposition, if it is not
// empty. The path has %2F and %3D in it, the query %2F, %2B and %3D, so that a
// client that takes the address apart and puts it together again spoils it.
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

// DispositionQuery is the parameter that sets the Content-Disposition of an
// answer.
const DispositionQuery = "response-content-disposition"

const signatureQuery = "&Signature="

// verify checks the address of a request as it came, byte for byte.
func (s *Store) verify(r *http.Request) (signedAddress, *refusal) {
	path, query, _ := strings.Cut(pathOf(r.RequestURI), "?")
	signed, signature, found := strings.Cut(query, signatureQuery)
	if !found {
		return signedAddress{}, refuse(http.StatusForbidden, "AccessDenied", "Access Denied: the address has no signature.")
	}
	if !hmac.Equal([]byte(signature), []byte(s.signature(r.Method, path, signed))) {
		return signedAddress{}, signatureMismatch("The request signature we calculated does not match the signature you provided.")
	}
	// The rest was signed here, so it is as presign wrote it.
	values, _ := url.ParseQuery(signed)
	expires, _ := strconv.ParseInt(values.Get("Expires"), 10, 64)
	key, _ := url.PathUnescape(path[strings.LastIndexByte(path, '/')+1:])
	return signedAddress{
		key: strings.TrimSuffix(key, "="), expires: time.Unix(expires, 0), disposition: values.Get(DispositionQuery),
	}, nil
}

// signature returns the value of the Signature parameter, escaped as it must be
// sent.
func (s *Store) signature(method, path, query string) string {
	return escape(base64.StdEncoding.EncodeToString(s.mac("request", method, path, query)))
}

// SigningKey returns the key that follows from the seed of the secrets.
func SigningKey(secrets uint64) []byte {
	key := sha256.Sum256(binary.BigEndian.AppendUint64([]byte("pre-signed addresses"), secrets))
	return key[:]
}

func (s *Store) mac(parts ...string) []byte {
	h := hmac.New(sha256.New, s.secret)
	h.Write([]byte(strings.Join(parts, "\n"))) // a hash never fails
	return h.Sum(nil)
}

// pathOf returns an address without its scheme and host.
func pathOf(address string) string {
	if _, rest, absolute := strings.Cut(address, "://"); absolute {
		_, path, _ := strings.Cut(rest, "/")
		return "/" + path
	}
	return address
}

func escape(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
