package practicetest

import "strings"

// route is one operation of the interface. Adding an operation is adding its row
// to the table below, its schema when it has a body, and its handler.
type route struct {
	operation string
	method    string
	path      string   // template below the base address
	query     []string // the query parameters, spelled as documented
	body      *schema  // nil when there is none
	system    bool     // also for the system account
	handle    func(*Server, *call) (reply, error)

	segments []string
	names    []string
}

var paging = []string{"Offset", "Limit"}

// routeTable lists every operation, literal paths before those with a parameter in
// their place. Below the line are operations of the service that the specification
// does not describe.
func routeTable() []route {
	const folders, files = "/matters/{matterId}/documents/folders", "/matters/{matterId}/documents/files"
	table := []route{
		{operation: "listBankAccounts", method: "GET", path: "/bankaccounts", query: []string{"type", "matterId"}, handle: (*Server).listBankAccounts},
		{operation: "getRootFolder", method: "GET", path: folders, handle: (*Server).getRootFolder},
		{operation: "createFolder", method: "POST", path: folders, body: folderCreate(), handle: (*Server).createFolder},
		{operation: "getFolder", method: "GET", path: folders + "/{folderId}", query: paging, handle: (*Server).getFolder},
		{operation: "patchFolder", method: "PATCH", path: folders + "/{folderId}", body: folderPatch(), handle: (*Server).patchFolder},
		{operation: "createFile", method: "POST", path: files, body: fileCreate(), handle: (*Server).createFile},
		{operation: "getFileUpload", method: "GET", path: files + "/{fileId}/upload", handle: (*Server).getFileUpload},
		{operation: "getFileDownload", method: "GET", path: files + "/{fileId}/download", query: []string{"versionId"}, handle: (*Server).getFileDownload},
		{operation: "getPolicy", method: "GET", path: "/policies/{reference}", handle: (*Server).getPolicy},
		{operation: "patchFee", method: "PATCH", path: "/matters/{matterId}/fees/{id}", body: feePatch(), handle: (*Server).patchFee},
		{operation: "getExpense", method: "GET", path: "/matters/{matterId}/expenses/{id}", handle: (*Server).getExpense},
		{operation: "listContactRelations", method: "GET", path: "/contacts/{contactId}/relations", query: paging, handle: (*Server).listContactRelations},
		{operation: "updateContactRelation", method: "PUT", path: "/contacts/{contactId}/relations/{relatedContactId}", body: relationUpdate(), handle: (*Server).updateContactRelation},
		{operation: "addContactTags", method: "POST", path: "/contacts/{id}/tags", body: tagList(true), handle: (*Server).addContactTags},
		{operation: "removeContactTagsBulk", method: "DELETE", path: "/contacts/{id}/tags", body: tagList(true), handle: (*Server).removeContactTagsBulk},
		{operation: "removeContactTags", method: "DELETE", path: "/contacts/{id}/tags/{tagId}", body: tagList(false), handle: (*Server).removeContactTags},
		{operation: "getStaff", method: "GET", path: "/staff/{id}", handle: (*Server).getStaff},
		{operation: "deleteStaff", method: "DELETE", path: "/staff/{id}", handle: (*Server).deleteStaff},
		{operation: "listEvents", method: "GET", path: "/events", query: []string{"Offset", "Limit", "UpdatedSince", "MatterId", "ExcludeDeletedEvents", "From", "To"}, handle: (*Server).listEvents},
		{operation: "sendPortalMessage", method: "POST", path: "/matters/{matterId}/portal/messages", body: portalMessage(), handle: (*Server).sendPortalMessage},
		{operation: "getMatterRelationships", method: "GET", path: "/matters/{matterId}/roles/{roleId}/relationships", handle: (*Server).getMatterRelationships},
		{operation: "listPromotions", method: "GET", path: "/subscriptions/promotions", query: paging, handle: (*Server).listPromotions},
		{operation: "getSubscription", method: "GET", path: "/subscriptions/{id}", handle: (*Server).getSubscription},
		{operation: "getPaymentMethod", method: "GET", path: "/subscriptions/{subscriptionId}/paymentmethods/{id}", handle: (*Server).getPaymentMethod},
		{operation: "listWebhookTypes", method: "GET", path: "/webhooks/types", system: true, handle: (*Server).listWebhookTypes},
		{operation: "listWebhooks", method: "GET", path: "/webhooks", query: paging, system: true, handle: (*Server).listWebhooks},
		{operation: "createWebhook", method: "POST", path: "/webhooks", body: webhookBody(true), system: true, handle: (*Server).createWebhook},
		{operation: "getWebhook", method: "GET", path: "/webhooks/{id}", system: true, handle: (*Server).getWebhook},
		{operation: "updateWebhook", method: "PUT", path: "/webhooks/{id}", body: webhookBody(false), system: true, handle: (*Server).updateWebhook},
		{operation: "deleteWebhook", method: "DELETE", path: "/webhooks/{id}", system: true, handle: (*Server).deleteWebhook},

		{operation: "notifyWebhook", method: "POST", path: "/webhooks/{id}/notify", system: true, handle: (*Server).notifyWebhook},
		{operation: "getFee", method: "GET", path: "/matters/{matterId}/fees/{id}", handle: (*Server).getFee},
		{operation: "listContactTags", method: "GET", path: "/contacts/{id}/tags", query: paging, handle: (*Server).listContactTags},
	}
	for i := range table {
		table[i].compile()
	}
	return table
}

func (r *route) compile() {
	r.segments = strings.Split(r.path[1:], "/")
	for _, s := range r.segments {
		if strings.HasPrefix(s, "{") {
			r.names = append(r.names, strings.Trim(s, "{}"))
		}
	}
}

// match compares a path with the template and returns its parameters.
func (r *route) match(path []string) ([]string, bool) {
	if len(path) != len(r.segments) {
		return nil, false
	}
	var values []string
	for i, s := range r.segments {
		if strings.HasPrefix(s, "{") {
			values = append(values, path[i])
		} else if s != path[i] {
			return nil, false
		}
	}
	return values, true
}
