package practice

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

// Limits of the specification (Limits).
const (
	MaxFolderName = 256        // characters of a folder name
	MaxFileName   = 256        // characters of a file name
	MaxPageSize   = 500        // items of one page
	MaxOffset     = 2147483647 // start position of a page
)

// badIdentifier returns why value cannot be an identifier, or "". Such a value
// could reach another address.
func badIdentifier(value string) string {
	switch {
	case value == "":
		return "must not be empty"
	case value == "." || value == "..":
		return "must not be a dot segment"
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

// badLength returns why text does not have least to most characters, or "".
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
		return "must be 0 to 2147483647"
	}
	return ""
}

// badLimit accepts 0, which leaves the page size to the service.
func badLimit(limit int) string {
	if limit < 0 || limit > MaxPageSize {
		return "must be 1 to 500"
	}
	return ""
}

// badCallback returns why an address cannot receive notifications, or "".
func badCallback(address string) string {
	if !utf8.ValidString(address) {
		return notUTF8
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || (u.Scheme != "https" && u.Scheme != "http") {
		return "must be an absolute http or https address"
	}
	return ""
}

func reasonIf(bad bool, reason string) string {
	if bad {
		return reason
	}
	return ""
}

func reservedHeader(name string) bool {
	switch strings.ToLower(name) {
	case "authorization", "x-api-key", "requestid", "userid", "resourceid", "externalid", "host", "content-type", "content-length",
		"transfer-encoding", "connection", "user-agent", "accept", "accept-encoding", "cookie", "proxy-authorization",
		"idempotency-key", "x-idempotency-key": // net/http would repeat a create that carries one
		return true
	}
	return false
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

// badRequestID returns why a text cannot be sent as a RequestId, or "". The
// signature of an event puts a | behind it.
func badRequestID(id string) string {
	return reasonIf(id == "" || len(id) > 128 || !transport.ValidHeaderValue(id) || strings.Contains(id, "|"),
		"must be 1 to 128 characters that fit into a header, without |")
}

const notUTF8 = "must be valid UTF-8"

// The rules below are those of single operations. A method and a call by name
// pass them alike: they check the path, the body and the query of a call, and
// know it by its template.

// badID returns why a value cannot stand for a parameter of the path, or "".
// The parameters count from 0.
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

// onlyUUIDs reports whether the service takes nothing but a UUID in a place of
// the path.
func (o operation) onlyUUIDs(place string) bool {
	for _, all := range []string{"/users/", "/matters/{matterId}/layouts", rolesPath} {
		if strings.HasPrefix(o.path, all) {
			return true
		}
	}
	return place == "/contacts/{contactId}/relations/{" ||
		place == "/subscriptions/{subscriptionId}/paymentmethods/{" && o.method == http.MethodGet
}

// siblings returns the literal segments that other operations have in a place
// of the path: as values they would reach those.
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

// takesVersion reports whether an operation takes the header Version.
func (o operation) takesVersion() bool {
	return strings.HasPrefix(o.path, rolesPath) && (o.method == http.MethodPost || o.method == http.MethodDelete)
}

// answersWithOne reports whether the answer to a list may be one record.
func (o operation) answersWithOne() bool {
	return o.path == "/bankaccounts/{bankAccountId}/transactions" && o.method == http.MethodGet
}

// checkQuery refuses parameters that do not go together.
func (c *call) checkQuery() {
	switch c.op.path {
	case "/events":
		from, errFrom := time.Parse(localTime, c.query.Get("From"))
		to, errTo := time.Parse(localTime, c.query.Get("To"))
		c.check("To", reasonIf(errFrom == nil && errTo == nil && to.Before(from), "must not be before From"))
	case "/matters/{matterId}/documents/files":
		c.check("Cursor", reasonIf(c.query.Has("Cursor") && (c.query.Has("Sort") || c.query.Has("Search")), "does not go with Sort or Search"))
	}
}

// completeBody fills in what a body takes from the path, and refuses what its
// description cannot say.
func (c *call) completeBody(body any) {
	switch body := body.(type) {
	case *[]string:
		c.tags(body)
	case *models.BatchContactsRequest:
		c.batchOf(body.IDs)
	case *models.FileWrite:
		c.judge("fileName", reasonIf(body.FileName == "", "must not be empty"))
	case *models.LayoutItemPatch:
		c.layoutItem(body, c.recordID())
	case *models.PortalMessage:
		c.portalMessage(body)
	case *models.RelationWrite:
		c.relation(body, c.recordID())
	case *models.WebhookSubscriptionWrite:
		c.webhook(body)
	}
}

// recordID returns the id at the end of the path, or "" where it ends in a
// word.
func (c *call) recordID() string {
	if len(c.ids) == 0 || !strings.HasSuffix(c.op.path, "}") {
		return ""
	}
	return c.ids[len(c.ids)-1]
}
