package practice

import (
	"context"
	"iter"
	"net/http"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	pluginsCreate             = operation{"Plugins.Create", http.MethodPost, "/plugins", transport.Create}
	pluginsGet                = operation{"Plugins.Get", http.MethodGet, "/plugins/{pluginId}", transport.Read}
	pluginsUpdate             = operation{"Plugins.Update", http.MethodPut, "/plugins/{pluginId}", transport.IdempotentWrite}
	pluginsDelete             = operation{"Plugins.Delete", http.MethodDelete, "/plugins/{pluginId}", transport.IdempotentWrite}
	pluginsRequestURL         = operation{"Plugins.RequestURL", http.MethodPost, "/plugins/{pluginId}/url", transport.Create}
	pluginsCreateSubscription = operation{"Plugins.CreateSubscription", http.MethodPost, "/plugins/{pluginId}/subscriptions", transport.Create}
	pluginsGetSubscription    = operation{"Plugins.GetSubscription", http.MethodGet, "/plugins/{pluginId}/subscriptions/{id}", transport.Read}
	pluginsDeleteSubscription = operation{"Plugins.DeleteSubscription", http.MethodDelete, "/plugins/{pluginId}/subscriptions/{id}", transport.IdempotentWrite}
)

func pluginsList() *list[models.Plugin] {
	return paged("Plugins.List", "Plugins.All", "/plugins", func(p *models.Plugin) string { return p.ID })
}

func pluginsListSubscriptions() *list[models.PluginSubscription] {
	return paged("Plugins.ListSubscriptions", "Plugins.AllSubscriptions", "/plugins/{pluginId}/subscriptions", func(s *models.PluginSubscription) string { return s.ID })
}

// PluginsService manages the buttons and tabs that an integrator adds to the
// application, and which accounts have them. Without a special permission the
// service refuses changes (403, ErrForbidden).
//   - https://github.com/practicesdk/practice-go/blob/main/docs/reference/plugins.md
type PluginsService service

// PluginListOptions choose the page of a list of plugins.
type PluginListOptions struct{ ListOptions }

// List returns one page of the plugins of the client.
//   - API: GET /plugins
func (s *PluginsService) List(ctx context.Context, options PluginListOptions, opts ...CallOption) (*Page[models.Plugin], error) {
	return pluginsList().page(ctx, s.client, options, opts)
}

// All yields all the plugins of the client. It reads Limit records per page
// from Offset.
//   - API: GET /plugins
func (s *PluginsService) All(ctx context.Context, options PluginListOptions, opts ...CallOption) iter.Seq2[models.Plugin, error] {
	return pluginsList().walk(ctx, s.client, options, opts)
}

// Create adds a plugin. Key cannot be changed later. It needs the permission to
// create plugins.
//   - API: POST /plugins, asynchronous
func (s *PluginsService) Create(ctx context.Context, plugin models.PluginWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, pluginsCreate, opts).with(&plugin))
}

// Get returns a plugin with its current version.
//   - API: GET /plugins/{pluginId}
func (s *PluginsService) Get(ctx context.Context, pluginID string, opts ...CallOption) (*models.Plugin, error) {
	return send[models.Plugin](s.client.call(ctx, pluginsGet, opts).at(pluginID))
}

// Update replaces a plugin: the service clears what the body leaves out, and
// probably makes a new version. Key is not changed.
//   - API: PUT /plugins/{pluginId}, asynchronous
func (s *PluginsService) Update(ctx context.Context, pluginID string, plugin models.PluginWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, pluginsUpdate, opts).at(pluginID).with(&plugin))
}

// Modify reads a plugin, calls change with a body that would leave it
// unchanged, and sends the changed body. It returns a *ModifyError if the write
// could lose data. Key, which signs the requests to the plugin's endpoint,
// cannot be read back and so starts empty. The service does not change it.
//   - API: PUT /plugins/{pluginId}, asynchronous
func (s *PluginsService) Modify(ctx context.Context, pluginID string, change func(*models.PluginWrite) error, opts ...CallOption) (*models.Link, error) {
	return modify(ctx, modification[models.PluginWrite, models.Link]{
		s.client, "Plugins.Modify", "", oneID(s.Get, pluginID), ontoID(s.Update, pluginID), opts,
	}, change)
}

// Delete deletes a plugin.
//   - API: DELETE /plugins/{pluginId}, asynchronous
func (s *PluginsService) Delete(ctx context.Context, pluginID string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, pluginsDelete, opts).at(pluginID))
}

// RequestURL asks a plugin for an address to show. The service asks the server
// of the integrator for it, at RequestEndpointURL of the plugin. Anyone who has
// the address can open it, so it is a secret. The service wants client
// credentials, and refuses the names AccountId, UserId, UserEmail, MatterId,
// AppId and EmbedToken in AdditionalData (400, ErrBadRequest).
//   - API: POST /plugins/{pluginId}/url
func (s *PluginsService) RequestURL(ctx context.Context, pluginID string, body models.PluginURLRequest, opts ...CallOption) (*models.Secret, error) {
	return send[models.Secret](s.client.call(ctx, pluginsRequestURL, opts).at(pluginID).with(&body))
}

// PluginSubscriptionListOptions choose a page of subscriptions of a plugin.
type PluginSubscriptionListOptions struct{ ListOptions }

// ListSubscriptions returns one page of the account's subscriptions to a
// plugin.
//   - API: GET /plugins/{pluginId}/subscriptions
func (s *PluginsService) ListSubscriptions(ctx context.Context, pluginID string, options PluginSubscriptionListOptions, opts ...CallOption) (*Page[models.PluginSubscription], error) {
	return pluginsListSubscriptions().page(ctx, s.client, options, opts, pluginID)
}

// AllSubscriptions yields all the account's subscriptions to a plugin. It reads
// Limit records per page from Offset.
//   - API: GET /plugins/{pluginId}/subscriptions
func (s *PluginsService) AllSubscriptions(ctx context.Context, pluginID string, options PluginSubscriptionListOptions, opts ...CallOption) iter.Seq2[models.PluginSubscription, error] {
	return pluginsListSubscriptions().walk(ctx, s.client, options, opts, pluginID)
}

// CreateSubscription subscribes the account to the current version of a plugin.
//   - API: POST /plugins/{pluginId}/subscriptions, asynchronous
func (s *PluginsService) CreateSubscription(ctx context.Context, pluginID string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, pluginsCreateSubscription, opts).at(pluginID))
}

// GetSubscription returns a subscription of the account to a plugin.
//   - API: GET /plugins/{pluginId}/subscriptions/{id}
func (s *PluginsService) GetSubscription(ctx context.Context, pluginID, id string, opts ...CallOption) (*models.PluginSubscription, error) {
	return send[models.PluginSubscription](s.client.call(ctx, pluginsGetSubscription, opts).at(pluginID, id))
}

// DeleteSubscription ends a subscription of the account to a plugin.
//   - API: DELETE /plugins/{pluginId}/subscriptions/{id}, asynchronous
func (s *PluginsService) DeleteSubscription(ctx context.Context, pluginID, id string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, pluginsDeleteSubscription, opts).at(pluginID, id))
}
