package practicetest

import (
	"encoding/json"
	"net/url"
	"reflect"
	"slices"
	"time"

	"github.com/practicesdk/practice-go/models"
)

const pluginPath = "/plugins/{pluginId}"

// plugins returns the area of plugins: buttons and tabs in the vendor's own
// application. An account subscribes to a version of a plugin.
func plugins() area {
	p := pluginKinds{
		&resource{path: pluginPath, relation: "Plugins", final: []string{"key"}, vanishes: true, change: changePlugin},
		&resource{path: pluginPath + "/subscriptions/{id}", relation: "PluginSubscriptions", vanishes: true},
	}
	p.plugin.remove = p.loseSubscriptions
	p.subscription.change = p.subscribe
	return area{
		name: "Plugins", resources: []*resource{p.plugin, p.subscription}, seed: p.seed,
		handlers: handlers{"requestPluginURL": p.plugin.reading(p.requestURL)},
	}
}

type pluginKinds struct{ plugin, subscription *resource }

// changePlugin adds a version if the body differs from the current one.
func changePlugin(t *tx, r *record, _ fields) {
	old, _ := r.data.(fields)
	next := decoded[fields](r.fields.raw("version"))
	r.fields["version"] = old
	if old == nil || !sameVersion(old, next) {
		r.setVersion(next, t.newID("plugin version"), t.now)
	}
}

// setVersion sets the current version of a plugin and increments the version
// number.
func (r *record) setVersion(version fields, id string, now time.Time) {
	number := 0
	if old, is := r.data.(fields); is {
		number = old["versionNumber"].(int)
	}
	version["id"], version["pluginId"], version["versionNumber"] = id, r.id, number+1
	version["createdDate"], version["lastUpdatedDate"] = now, now
	r.data, r.fields["version"] = version, version
}

// sameVersion reports whether two versions have equal members. It ignores the
// order of members and treats empty members as missing.
func sameVersion(a, b fields) bool {
	for _, name := range []string{"name", "description", "placement", "requestEndpointUrl", "attributes", "availability"} {
		if !reflect.DeepEqual(sayings(a.raw(name)), sayings(b.raw(name))) {
			return false
		}
	}
	return true
}

// sayings returns a JSON value without empty members, or nil if it is empty.
func sayings(raw json.RawMessage) any {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) == nil {
		said := map[string]any{}
		for name, value := range members {
			if one := sayings(value); one != nil {
				said[name] = one
			}
		}
		if len(said) == 0 {
			return nil
		}
		return said
	}
	var value any
	_ = json.Unmarshal(raw, &value) // cannot fail: the value was parsed before
	if list, is := value.([]any); is && len(list) == 0 || value == "" {
		return nil
	}
	return value
}

// subscribe links a new subscription to the current version of the plugin.
func (p pluginKinds) subscribe(t *tx, r *record, _ fields) {
	if plugin, err := t.find(p.plugin, r.above[0], nil); err == nil {
		r.fields["pluginVersionId"], r.fields["isDisabled"] = plugin.data.(fields).str("id"), false
	}
}

// loseSubscriptions removes the subscriptions to a deleted plugin.
func (p pluginKinds) loseSubscriptions(t *tx, r *record) {
	for _, subscription := range t.server.state.list(p.subscription, r.id).All() {
		t.drop(subscription)
	}
}

// reservedNames lists the names that clients cannot use in additionalData,
// because the service sets them.
var reservedNames = [...]string{"AccountId", "UserId", "UserEmail", "MatterId", "AppId", "EmbedToken"}

// requestURL responds with an address to show. The real service requests it
// from the plugin's server; here it is derived from that server's address and
// differs in each response.
func (p pluginKinds) requestURL(s *Server, c *call, plugin *record) (answer, error) {
	matter := member[string](c, "matterId")
	if _, err := s.tx(c).read(s.state.resource("matters"), matter, nil); matter != "" && err != nil {
		return nil, conflict("matterId", "no such matter")
	}
	for name := range member[map[string]json.RawMessage](c, "additionalData") {
		if slices.Contains(reservedNames[:], name) {
			return nil, faulty("additionalData", "must not contain the reserved name %s", name)
		}
	}
	address, err := url.Parse(plugin.data.(fields).str("requestEndpointUrl"))
	if err != nil || address.Host == "" {
		return nil, conflict("pluginId", "the plugin has no requestEndpointUrl")
	}
	address.RawQuery = url.Values{"matterId": {matter}, "session": {s.state.newID("plugin session")}}.Encode()
	return bytesOf(encode(address.String())), nil
}

// seed creates a button of the desktop application with two subscriptions, and
// a tab of the web application.
func (p pluginKinds) seed(sd *seeder, a *account) {
	for i, application := range []string{"Native", "Web"} {
		plugin := sd.add(a, p.plugin, fields{
			"externalId": []string{"signing", "searches"}[i], "application": application, "type": []string{"Button", "Tab"}[i],
			"key": "plugin-key-" + sd.rand.next(), "additionalData": json.RawMessage(`{"team":"Conveyancing"}`),
		})
		plugin.setVersion(fields{
			"name": []string{"Signing", "Searches"}[i], "description": "Opens a page of the integrator.", "placement": "matter",
			"requestEndpointUrl": "https://plugin.example.test/open",
			"attributes": fields{
				"text": "Open", "icon": "bell", "color": "Blue", "tooltip": "Opens in a window",
				"page": fields{"title": "Signing", "width": 800, "height": 600, "useDefaultBrowser": false},
			},
			"availability": fields{"matterTypeIds": []string{sd.first("mattertypes", a.id)}},
		}, sd.newID("plugin version"), sd.now)
		for _, disabled := range []bool{false, true}[:2-2*i] {
			sd.add(a, p.subscription, fields{"pluginVersionId": plugin.data.(fields)["id"], "isDisabled": disabled}, plugin.id)
		}
	}
}

// describePlugins sets the ids of plugins in f.
func (sd *seeder) describePlugins(f *Firm, a, other *account) {
	f.PluginID, f.OtherFirmPluginID = sd.first("plugins", a.id), sd.first("plugins", other.id)
	f.PluginSubscriptionID = sd.list(sd.by.byPath(pluginPath+"/subscriptions/{id}"), f.PluginID).All()[0].id
}

// AddPlugin adds a plugin and returns its id.
func (s *Server) AddPlugin(plugin models.PluginWrite) string { return s.enter("createPlugin", &plugin) }

// Plugin returns the plugin with the id and reports whether it exists.
func (s *Server) Plugin(id string) (models.Plugin, bool) {
	return recordOf[models.Plugin](s, pluginPath, id)
}

// PluginSubscription returns the plugin subscription with the id and reports
// whether it exists.
func (s *Server) PluginSubscription(id string) (models.PluginSubscription, bool) {
	return recordOf[models.PluginSubscription](s, pluginPath+"/subscriptions/{id}", id)
}
