package practice

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/internal/headers"
	"github.com/practicesdk/practice-go/internal/redact"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

// call holds one call while it is prepared. Each argument is checked; after a
// bad one nothing is sent.
type call struct {
	ctx      context.Context
	client   *Client
	op       operation
	part     string // the operation's name in observations
	settings callSettings
	ids      []string // values of the path template, in order
	idBuffer [3]string
	values   [4]string // memory for the header values of the first attempt; a fifth one allocates more
	query    url.Values
	body     []byte
	bodyOf   any      // record that the body was encoded from, or nil
	target   *url.URL // set for a link: replaces the path template
	address  url.URL  // memory for requestURL
	err      error
	accept   string     // value of the header Accept; empty: JSON
	free     bool       // the caller chose the path template
	listing  bool       // the response is a page of a list
	answerOf any        // record that the response was decoded into
	untyped  func() any // returns an empty record of a list that is read as objects; nil: unknown

	sent     transport.Call // filled in when the call is sent
	observer callObserver
	found    foundRecords
	masks    *redact.Mask // result of the method mask; nil before its first call
}

func (c *Client) call(ctx context.Context, op operation, opts []CallOption) *call {
	prepared := &call{ctx: ctx, client: c, op: op, part: op.name, settings: c.settings.call, err: c.err}
	prepared.ids = prepared.idBuffer[:0]
	for _, opt := range opts {
		if opt == nil {
			prepared.fail(&ConfigError{op.name, "received a nil option"})
			continue
		}
		prepared.fail(opt.applyCall(&prepared.settings))
	}
	prepared.op.name = cmp.Or(prepared.settings.method, op.name)
	return prepared
}

// calledBy makes the errors of an inner call name the calling method.
// Observations still name the operation's own method.
func calledBy(method string) CallOption {
	return callOption(func(s *callSettings) error { s.method = method; return nil })
}

// onlyWhereTaken refuses options that would have no effect: headers that the
// call does not take, the option of Modify where nothing is converted, and the
// position of a walk outside of a walk.
func (c *call) onlyWhereTaken() {
	for id, value := range c.settings.headers {
		h := &headers.All[id]
		c.check(h.Option, reasonIf(value != "" && !c.takes(h), h.Else))
	}
	c.check("WithLoss", reasonIf(c.settings.loss != nil, "applies only to Modify methods"))
	c.check("WithPosition", reasonIf(c.settings.position != nil && !c.listing, "applies only to methods that return an iterator"))
}

// takes reports whether the call takes the header. A request by Do to an
// endpoint without a method may take any header.
func (c *call) takes(h *headers.Header) bool {
	switch h.Takes {
	case headers.Creates:
		return c.op.class == transport.Create
	case headers.Flagged:
		takes, known := c.settings.flagged(c.op, h.Name)
		return takes || !known && c.target == nil
	}
	return true
}

// flagged reports whether an operation takes a header, and whether the
// description has the operation. The option of the header sets it, so that
// programs without the option do not link the table of operations.
type flagged func(op operation, header string) (takes, known bool)

func flaggedFor(op operation, header string) (takes, known bool) {
	at := slices.IndexFunc(operationTable[:], func(o Operation) bool { return o.Method == op.method && o.Path == op.path })
	return at >= 0 && slices.Contains(operationTable[at].headers, header), at >= 0
}

// fail records err if it is the first error.
func (c *call) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// check refuses an argument if reason is not empty.
func (c *call) check(argument, reason string) {
	if reason != "" {
		c.fail(&ArgumentError{Operation: c.op.name, Argument: argument, Reason: reason})
	}
}

// judge refuses a member of the body if reason is not empty. A member that
// Modify took from the record is not refused: the service has accepted it
// before.
func (c *call) judge(member, reason string) {
	if reason != "" && (c.settings.tookOver == nil || !c.settings.tookOver(member)) {
		c.check(member, reason)
	}
}

// id sets the next path parameter.
func (c *call) id(argument, value string) {
	c.check(argument, c.op.badID(len(c.ids), value))
	c.ids = append(c.ids, value)
}

// at sets the path parameters. The arguments have the names in the template.
func (c *call) at(ids ...string) *call {
	rest := c.op.path
	for _, id := range ids {
		_, rest, _ = strings.Cut(rest, "{")
		name, after, _ := strings.Cut(rest, "}")
		c.id(name, id)
		rest = after
	}
	return c
}

// with sets the JSON body of an operation; body is a pointer.
func (c *call) with(body any) *call {
	c.completeBody(body)
	c.record(body)
	return c
}

// completeBody fills in the members of the body that are also in the path, and
// applies the rules that the description cannot express. A body may make a
// create of the call.
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
	case *models.MatterPatch:
		if addsItem(body.Items) {
			c.op.class = transport.Create
		}
	case *models.PortalMessage:
		c.portalMessage(body)
	case *models.RelationWrite:
		c.relation(body, c.recordID())
	case *models.WebhookSubscriptionWrite:
		c.webhook(body)
	}
}

// recordID returns the id at the end of the path, or "" if the path ends in a
// literal segment.
func (c *call) recordID() string {
	if len(c.ids) == 0 || !strings.HasSuffix(c.op.path, "}") {
		return ""
	}
	return c.ids[len(c.ids)-1]
}

// batchOf checks the ids of contacts to be read together.
func (c *call) batchOf(ids []string) {
	c.check("ids", reasonIf(len(ids) == 0, "must not be empty"))
	for i, id := range ids {
		c.check("ids["+strconv.Itoa(i)+"]", badText(id))
	}
}

// relation fills in the id of the related contact and refuses a different one.
// If the path has no id, the body must have it.
func (c *call) relation(relation *models.RelationWrite, relatedContactID string) {
	if relation.RelatedContactID == "" {
		relation.RelatedContactID = relatedContactID
	}
	c.check("relatedContactId", reasonIf(relation.RelatedContactID == "", "must not be empty"))
	c.check("relatedContactId", reasonIf(relatedContactID != "" && relation.RelatedContactID != relatedContactID, "must be the same in the path and in the body"))
}

// tags checks a list of tags. It replaces nil by an empty list, since the
// service does not accept null.
func (c *call) tags(tags *[]string) {
	for i, tag := range *tags {
		c.check("tags["+strconv.Itoa(i)+"]", badText(tag))
	}
	removes := c.op.method == http.MethodDelete
	c.check("tags", reasonIf(removes && len(*tags) == 0, "must not be empty"))
	if *tags == nil {
		*tags = []string{}
	}
}

// layoutItem fills in the id of the item and refuses a different one.
func (c *call) layoutItem(item *models.LayoutItemPatch, itemID string) {
	if item.ItemID.Or("") == "" {
		item.ItemID = models.Some(itemID)
	}
	c.check("itemId", reasonIf(!strings.EqualFold(item.ItemID.Or(""), itemID), "must be the same in the path and in the body"))
}

// portalMessage refuses a message without a contact, and one without a user
// under client credentials.
func (c *call) portalMessage(message *models.PortalMessage) {
	tokens := c.client.tokens
	c.check("contactId", badUUID(message.ContactID))
	c.check("UserId", reasonIf(tokens != nil && tokens.OfClient && c.settings.headers[headers.UserID] == "", "must be set with WithUserID if the client uses client credentials"))
}

// webhook checks the body of a subscription.
func (c *call) webhook(subscription *models.WebhookSubscriptionWrite) {
	c.judge("name", badText(subscription.Name))
	c.judge("eventNotificationUrl", badCallback(subscription.EventNotificationURL))
	c.judge("eventTypes", reasonIf(len(subscription.EventTypes) == 0, "must not be empty"))
	system := c.client.AccountID() == SystemAccountID
	for i, eventType := range subscription.EventTypes {
		name := "eventTypes[" + strconv.Itoa(i) + "]"
		c.judge(name, badText(string(eventType)))
		c.judge(name, reasonIf(system && eventType.IsDocumented() && !eventType.IsSystem(), "must be a system event type, because the client uses the system account"))
	}
	key, set := subscription.Key.Get()
	c.judge("key", reasonIf(set && key.IsZero(), "must not be empty"))
	replaces := c.op.method == http.MethodPut
	c.judge("key", reasonIf(replaces && subscription.Key.IsZero(), "must be set to a value or to null"))
}

// record sets the JSON body; body is a pointer.
func (c *call) record(body any) {
	for member, reason := range models.Wire.Faults(body) {
		c.judge(member, reason)
	}
	c.bodyOf = body
	data, err := codec.AppendRequest(nil, body, models.Wire)
	if errors.Is(err, codec.ErrNotUTF8) {
		c.check("body", notUTF8)
	} else if err != nil {
		c.check("body", "cannot be encoded as JSON: "+err.Error())
	}
	c.body = data
}

// requestURL returns the base address with the path template filled in. Values
// are escaped one by one, so that none of them can change the path.
func (c *call) requestURL() *url.URL {
	u := &c.address
	if c.target != nil {
		*u = *c.target
		if len(c.settings.query) > 0 { // otherwise the query of a link stays unchanged
			u.RawQuery = c.rawQuery()
		}
		return u
	}
	*u = *c.client.base
	size := len(u.RawPath) + len(c.op.path)
	for _, id := range c.ids {
		size += len(id)
	}
	plain := u.Path == u.RawPath && !slices.ContainsFunc(c.ids, func(id string) bool { return url.PathEscape(id) != id })
	u.Path = c.fill(u.Path, size, func(id string) string { return id })
	if plain {
		u.RawPath = ""
	} else {
		u.RawPath = c.fill(u.RawPath, size, url.PathEscape)
	}
	u.RawQuery = c.rawQuery()
	return u
}

// fill appends the path template, with its values in the given form, to base.
func (c *call) fill(base string, size int, form func(string) string) string {
	var b strings.Builder
	b.Grow(size)
	b.WriteString(base)
	rest := c.op.path
	for _, id := range c.ids {
		before, after, found := strings.Cut(rest, "{")
		if !found {
			break
		}
		_, rest, _ = strings.Cut(after, "}")
		b.WriteString(before)
		b.WriteString(form(id))
	}
	b.WriteString(rest)
	return b.String()
}

// hasName reports whether query has a parameter of that name. Case is ignored,
// as the service does.
func hasName(query url.Values, name string) bool {
	for known := range query {
		if strings.EqualFold(known, name) {
			return true
		}
	}
	return false
}

// rawQuery returns the parameters of the method joined with those of WithQuery.
func (c *call) rawQuery() string {
	if len(c.settings.query) == 0 {
		return c.query.Encode()
	}
	query := url.Values{}
	for _, field := range c.settings.query {
		if !hasName(c.query, field.name) {
			query.Add(field.name, field.value)
		}
	}
	for name, values := range c.query {
		query[name] = values
	}
	return query.Encode()
}

// Header implements transport.Headers.
func (c *call) Header() http.Header {
	values := c.values[:0]
	if len(c.sent.Attempts) > 0 { // an earlier attempt may still use them
		values = nil
	}
	header := make(http.Header, 8+len(c.settings.header))
	for _, field := range c.settings.header {
		header.Add(field.name, field.value)
	}
	set := func(name, value string) {
		values = append(values, value)
		header[name] = values[len(values)-1 : len(values) : len(values)]
	}
	set("Accept", cmp.Or(c.accept, "application/json, application/problem+json"))
	set("User-Agent", c.client.agent)
	if c.body != nil {
		set("Content-Type", "application/json-patch+json")
	}
	for id, value := range c.settings.headers {
		if value != "" {
			set(headers.All[id].Key, value)
		}
	}
	return header
}

const firstRetryWait = 500 * time.Millisecond

func (c *Client) retries(s callSettings) transport.Retries {
	return transport.Retries{Max: s.retries, FirstWait: firstRetryWait, MaxWait: c.settings.maxRetryWait}
}

// chooseRequestID sets a request id unless the caller has set one.
func (c *call) chooseRequestID() error {
	own := &c.settings.headers[headers.RequestID]
	if *own != "" {
		return nil
	}
	signer := c.client.settings.signer
	if signer == nil {
		*own = uuid.NewString()
		return nil
	}
	id := signer.NewRequestID()
	if reason := badRequestID(id); reason != "" {
		return &ConfigError{"WithRequestIDSigner", "returned an invalid request id: it " + reason}
	}
	*own = id
	return nil
}
