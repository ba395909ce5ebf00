package practice

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/practicesdk/practice-go/internal/httpx"
	"github.com/practicesdk/practice-go/internal/pending"
	"github.com/practicesdk/practice-go/internal/storage"
	"github.com/practicesdk/practice-go/internal/transport"
)

// SystemAccountID is the id of the account of system events. To receive system
// events, use client credentials and create webhook subscriptions with
// ForAccount(SystemAccountID).
const SystemAccountID = "00000000-0000-0000-0000-000000000000"

// Client is a client for one firm account of the service. Each area of the
// service is a field, and its operations are the methods of the field's type,
// such as [MattersService]. A Client is immutable and safe for concurrent use.
// Create one and share it.
type Client struct {
	ActivityCodes *ActivityCodesService
	BankAccounts  *BankAccountsService
	Contacts      *ContactsService
	Documents     *DocumentsService
	Events        *EventsService
	Expenses      *ExpensesService
	Fees          *FeesService
	Firm          *FirmService
	Groups        *GroupsService
	Intake        *IntakeService
	Invoices      *InvoicesService
	Layouts       *LayoutsService
	Matters       *MattersService
	MatterTypes   *MatterTypesService
	Memos         *MemosService
	Notifications *NotificationsService
	Plugins       *PluginsService
	Policies      *PoliciesService
	Portal        *PortalService
	ReferralTypes *ReferralTypesService
	Roles         *RolesService
	Search        *SearchService
	Staff         *StaffService
	Stages        *StagesService
	Subscriptions *SubscriptionsService
	Tasks         *TasksService
	Users         *UsersService
	Webhooks      *WebhooksService

	root      *url.URL // base address; its path has no trailing slash
	server    string   // scheme, host and port of root
	base      *url.URL // root with the account prefix, if any
	settings  settings
	chain     *transport.Chain
	tokens    *clientTokens // nil if there is no token source
	observers *observers    // nil if there are no observers
	storage   *storage.Client
	folders   *pending.Creates // creates of folders with unknown outcome, which EnsureFolder looks up before it retries them
	wire      *http.Client     // the client's own copy
	closeIdle func()           // closes the idle connections of wire; nil for a transport of the caller
	err       error            // an invalid value given to With or ForAccount
	agent     string           // value of the User-Agent header
}

// service is the underlying type of every area's service.
type service struct{ client *Client }

// NewClient returns a client for the service at baseURL, such as
// "https://api.example.test/v1". It reports all invalid options as joined
// *ConfigErrors. Credentials are required unless WithoutCredentials is set.
// NewClient does not send a request.
func NewClient(baseURL string, opts ...ClientOption) (*Client, error) {
	set := defaultSettings()
	var faults []error
	for _, opt := range opts {
		if opt == nil {
			faults = append(faults, &ConfigError{"NewClient", "received a nil option"})
			continue
		}
		faults = append(faults, opt.applyClient(&set))
	}
	if !set.credentials {
		faults = append(faults, &ConfigError{"credentials", "are missing: pass an API key and a token source, or WithoutCredentials"})
	}
	base, err := parseBase(baseURL, set.insecureHTTP)
	faults = append(faults, err)
	wire, own := transport.WireClient(set.httpClient)
	c := &Client{settings: set, wire: wire, agent: transport.UserAgent(set.userAgent)}
	if own {
		c.closeIdle = func() { httpx.CloseIdleConnections(wire) }
	}
	if o := &c.settings.observers; o.logger != nil || o.observer != nil || o.tracer != nil {
		c.observers = o
	}
	faults = append(faults, c.bindTokens())
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	c.assemble(base)
	return c, nil
}

// assemble builds the parts that c shares with its derived clients.
func (c *Client) assemble(base *url.URL) {
	c.root, c.server, c.base = base, base.Scheme+"://"+base.Host, base
	config := transport.Config{
		HTTPClient: c.wire,
		CloseIdle:  c.closeIdle,
		Middleware: c.settings.middleware,
		Origin:     transport.NewOrigin(base),
		APIKey:     c.settings.apiKey.Reveal(),
		Limiter:    c.settings.limiter,
	}
	if c.tokens != nil {
		config.Tokens = c.tokens
	}
	c.chain = transport.New(config)
	c.storage = storage.New(storage.Config{Transport: c.wire.Transport, Allowed: c.settings.allowedStorage, BytesPerSecond: c.settings.bandwidth})
	c.folders = new(pending.Creates)
	c.attachServices()
}

// With returns a client with other options that shares connections, tokens and
// the rate limit with c. If an option is invalid, every call of the new client
// returns the error.
func (c *Client) With(opts ...Option) *Client {
	derived := c.derive()
	for _, opt := range opts {
		if opt == nil {
			derived.err = errors.Join(derived.err, &ConfigError{"With", "received a nil option"})
			continue
		}
		derived.err = errors.Join(derived.err, opt.applyClient(&derived.settings))
	}
	return derived
}

// ForAccount returns a client for another account of multi-account client
// credentials: the account id precedes every path. If the id cannot be a path
// segment, every call of the new client reports that.
func (c *Client) ForAccount(accountID string) *Client {
	derived := c.derive()
	if reason := badIdentifier(accountID); reason != "" {
		derived.err = errors.Join(derived.err, &ConfigError{"ForAccount", reason})
		return derived
	}
	base := *c.root
	base.RawPath += "/" + url.PathEscape(accountID)
	base.Path += "/" + accountID
	derived.base = &base
	return derived
}

// AccountID returns the id passed to ForAccount, or "" for a client that
// ForAccount did not create.
func (c *Client) AccountID() string {
	return strings.TrimPrefix(strings.TrimPrefix(c.base.Path, c.root.Path), "/")
}

// RateLimit returns the attempts per second to which the client and its derived
// clients slowed down after a 429, below a configured limit. The value changes
// as the service accepts or refuses requests. ok is false if no limit has been
// found yet.
func (c *Client) RateLimit() (perSecond float64, ok bool) {
	return c.settings.limiter.Found()
}

// Observe calls do and reports it to the logger, the observer and the tracer of
// the client as one operation. The calls, walks, transfers and operations that
// do makes with its context become its children; their attempts, waits and
// bytes are added up. Observe returns the error of do; observers get it without
// the secrets of the client. Without observers, Observe only calls do.
//
// Choose a name such as "Intake.OpenMatter" from a small set, because it
// becomes a label of metrics. If do panics, Observe reports the panic and does
// not recover from it.
func (c *Client) Observe(ctx context.Context, operation string, do func(ctx context.Context) error) error {
	ctx, whole := c.observers.aggregate(ctx, Observation{Operation: operation})
	if whole == nil {
		return do(ctx)
	}
	err := transport.ErrNoReturn
	defer func() { whole.end(c.mask(&transport.Call{}).Error(err)) }()
	err = do(ctx)
	return err
}

// CloseIdleConnections closes idle connections, except those of a transport
// that the caller supplied. The client can still be used.
func (c *Client) CloseIdleConnections() {
	c.storage.CloseIdleConnections()
	if c.closeIdle != nil {
		c.closeIdle()
	}
}

func (c *Client) derive() *Client {
	derived := *c
	derived.attachServices()
	return &derived
}

func (c *Client) attachServices() {
	s := &service{client: c}
	c.ActivityCodes = (*ActivityCodesService)(s)
	c.BankAccounts = (*BankAccountsService)(s)
	c.Contacts = (*ContactsService)(s)
	c.Documents = (*DocumentsService)(s)
	c.Events = (*EventsService)(s)
	c.Expenses = (*ExpensesService)(s)
	c.Fees = (*FeesService)(s)
	c.Firm = (*FirmService)(s)
	c.Groups = (*GroupsService)(s)
	c.Intake = (*IntakeService)(s)
	c.Invoices = (*InvoicesService)(s)
	c.Layouts = (*LayoutsService)(s)
	c.Matters = (*MattersService)(s)
	c.MatterTypes = (*MatterTypesService)(s)
	c.Memos = (*MemosService)(s)
	c.Notifications = (*NotificationsService)(s)
	c.Plugins = (*PluginsService)(s)
	c.Policies = (*PoliciesService)(s)
	c.Portal = (*PortalService)(s)
	c.ReferralTypes = (*ReferralTypesService)(s)
	c.Roles = (*RolesService)(s)
	c.Search = (*SearchService)(s)
	c.Staff = (*StaffService)(s)
	c.Stages = (*StagesService)(s)
	c.Subscriptions = (*SubscriptionsService)(s)
	c.Tasks = (*TasksService)(s)
	c.Users = (*UsersService)(s)
	c.Webhooks = (*WebhooksService)(s)
}

func parseBase(address string, insecureHTTP bool) (*url.URL, error) {
	base, err := url.Parse(address)
	if err != nil || base.Hostname() == "" {
		return nil, &ConfigError{"base URL", "must be an absolute URL"}
	}
	if base.User != nil || base.RawQuery != "" || base.ForceQuery || base.Fragment != "" {
		return nil, &ConfigError{"base URL", "must not contain user information, a query or a fragment"}
	}
	if !transport.AllowedScheme(base, insecureHTTP) {
		return nil, &ConfigError{"base URL", "must use https; http is allowed only for the local machine or with WithInsecureHTTP"}
	}
	base.RawPath = strings.TrimRight(base.EscapedPath(), "/")
	base.Path = strings.TrimRight(base.Path, "/")
	host := &url.URL{Scheme: base.Scheme, Host: base.Host}
	if !transport.NewOrigin(host).Covers(base) {
		return nil, &ConfigError{"base URL", "must not have dot segments or escaped slashes in its path"}
	}
	return base, nil
}
