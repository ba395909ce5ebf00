package practice

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/practicesdk/practice-go/internal/headers"
	"github.com/practicesdk/practice-go/internal/transport"
)

// Limits that the API specification sets.
const (
	MaxFolderName = 256        // characters of a folder name
	MaxFileName   = 256        // characters of a file name
	MaxPageSize   = 500        // items of one page
	MaxOffset     = 2147483647 // start position of a page
)

// badIdentifier returns why value cannot be an identifier, or "". A bad one
// could change the path of the request.
func badIdentifier(value string) string {
	switch {
	case value == "":
		return "must not be empty"
	case value == "." || value == "..":
		return "must not be . or .."
	case strings.ContainsAny(value, `/\`):
		return "must not contain a slash or a backslash"
	case !utf8.ValidString(value) || strings.ContainsFunc(value, isControl):
		return "must not contain control characters or invalid UTF-8"
	}
	return ""
}

func isControl(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }

func badUUID(value string) string {
	if len(value) != len("00000000-0000-0000-0000-000000000000") || uuid.Validate(value) != nil {
		return "must be a UUID"
	}
	return ""
}

// badLength returns why text is not UTF-8 or does not have least to most
// characters, or "".
func badLength(text string, least, most int) string {
	if !utf8.ValidString(text) {
		return notUTF8
	}
	if n := utf8.RuneCountInString(text); n < least || n > most {
		return "must have " + strconv.Itoa(least) + " to " + strconv.Itoa(most) + " characters"
	}
	return ""
}

func badText(text string) string {
	if text == "" {
		return "must not be empty"
	}
	return reasonIf(!utf8.ValidString(text), notUTF8)
}

func badOffset(offset int) string {
	if offset < 0 || offset > MaxOffset {
		return "must be between 0 and 2147483647"
	}
	return ""
}

// badLimit accepts 0, which leaves the page size to the service.
func badLimit(limit int) string {
	if limit < 0 || limit > MaxPageSize {
		return "must be between 1 and 500"
	}
	return ""
}

// badCallback returns why address cannot receive notifications, or "".
func badCallback(address string) string {
	if !utf8.ValidString(address) {
		return notUTF8
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || (u.Scheme != "https" && u.Scheme != "http") {
		return "must be an absolute http or https URL"
	}
	return ""
}

func reasonIf(bad bool, reason string) string {
	if bad {
		return reason
	}
	return ""
}

// reservedHeader reports whether WithHeader must not set the header.
func reservedHeader(name string) bool {
	switch strings.ToLower(name) {
	case "authorization", "x-api-key", "content-type", "user-agent", "accept", "accept-encoding", "cookie", // set by the library
		"host", "content-length", "proxy-authorization", // set by net/http
		"transfer-encoding", "connection", "keep-alive", "proxy-connection", "te", "trailer", "upgrade", "expect", // of the connection
		"idempotency-key", "x-idempotency-key": // net/http would retry a create that carries one
		return true
	}
	return slices.ContainsFunc(headers.All[:], func(h headers.Header) bool { return strings.EqualFold(h.Name, name) })
}

func validHeaderName(name string) bool {
	for i := range len(name) {
		c := name[i]
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`()<>@,;:\"/[]?={}`, c) >= 0 {
			return false
		}
	}
	return name != ""
}

// badRequestID returns why id cannot be sent as a RequestId, or "". The
// signature of an event ends the id with a |.
func badRequestID(id string) string {
	return reasonIf(id == "" || len(id) > 128 || !transport.ValidHeaderValue(id) || strings.Contains(id, "|"),
		"must consist of 1 to 128 characters that are valid in a header, except |")
}

const notUTF8 = "must be valid UTF-8"

// operation describes one endpoint. Its name and its path template label
// errors, logs and metrics, so they must not contain an identifier.
type operation struct {
	name   string // name of the method, such as "Staff.Get"
	method string
	path   string // template below the base address, such as "/staff/{id}"
	class  transport.Class
}

// The rules of single operations are in the functions below, in completeBody
// and in checkQuery. They find an operation by its path template, so that they
// also apply to a call by name.

// badID returns why value cannot fill the path parameter with the given number,
// counted from 0, or "".
func (o operation) badID(number int, value string) string {
	rest := o.path
	for ; number >= 0; number-- {
		_, rest, _ = strings.Cut(rest, "{")
	}
	place := strings.TrimSuffix(o.path, rest)
	if o.onlyUUIDs(place) {
		return badUUID(value)
	}
	for sibling := range strings.FieldsSeq(siblings(place)) {
		if strings.EqualFold(value, sibling) {
			return "must not be the name of another operation"
		}
	}
	return badIdentifier(value)
}

// onlyUUIDs reports whether the service accepts only a UUID for the path
// parameter at place.
func (o operation) onlyUUIDs(place string) bool {
	for _, all := range []string{"/users/", "/matters/{matterId}/layouts", rolesPath} {
		if strings.HasPrefix(o.path, all) {
			return true
		}
	}
	return place == "/contacts/{contactId}/relations/{" ||
		place == "/subscriptions/{subscriptionId}/paymentmethods/{" && o.method == http.MethodGet
}

// siblings returns the literal segments that other operations have in place of
// the parameter at place. As a value, such a word would call the other
// operation.
func siblings(place string) string {
	switch place {
	case "/contacts/{":
		return "batch"
	case "/matters/{matterId}/documents/files/{":
		return "bulk"
	case "/intake/{":
		return "forms"
	case "/mattertypes/{":
		return "categories"
	case "/subscriptions/{":
		return "addons invoices paymentmethods paymentsystems promotions settings tiers usages"
	case "/webhooks/{":
		return "types"
	}
	return ""
}

const rolesPath = "/matters/{matterId}/roles"

// answersWithOne reports whether a list operation may return a single record in
// place of a page.
func (o operation) answersWithOne() bool {
	return o.path == "/bankaccounts/{bankAccountId}/transactions" && o.method == http.MethodGet
}
