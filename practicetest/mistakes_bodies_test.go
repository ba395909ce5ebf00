package practicetest_test

import "slices"

// wrongBodies holds bodies that an operation refuses.
type wrongBodies struct {
	method, path string
	bodies       [][2]string // body, and part of the message
}

// mistakesInBodies returns the bodies that violate the description of a member
// or a rule about several members.
func mistakesInBodies() (all []mistake) {
	for _, w := range slices.Concat(wrongSubscriptions(), wrongOthers(), wrongByRule()) {
		for _, b := range w.bodies {
			all = append(all, mistake{w.method, w.path, b[0], "", 400, b[1]})
		}
	}
	return all
}

func wrongSubscriptions() (all []wrongBodies) {
	const to = `"eventNotificationUrl":"https://hooks.example.test/in"`
	bodies := [][2]string{
		{`{"name":"","eventTypes":["error"],` + to + `}`, "name"}, {`{"name":1,"eventTypes":["error"],` + to + `}`, "name"},
		{`{"name":"n","eventTypes":[],` + to + `}`, "eventTypes"}, {`{"name":"n","eventTypes":"error",` + to + `}`, "eventTypes"},
		{`{"name":"n","eventTypes":[null],` + to + `}`, "eventTypes"}, {`{"name":"n","eventTypes":["matter.exploded"],` + to + `}`, "matter.exploded"},
		{`{"name":"n","eventTypes":["Matter.Updated"],` + to + `}`, "eventTypes"}, {`{"name":"n","eventTypes":["noop"],` + to + `}`, "noop"},
		{`{"name":"n","eventTypes":["matter.*"],` + to + `}`, "eventTypes"}, {`{"name":"n","eventTypes":null,` + to + `}`, "eventTypes"},
		{`{"name":"n","eventTypes":["error"],"eventNotificationUrl":"/in"}`, "eventNotificationUrl"},
		{`{"name":"n","eventTypes":["error"],"eventNotificationUrl":""}`, "eventNotificationUrl"},
		{`{"name":"n","eventTypes":["error"],"eventNotificationUrl":null}`, "eventNotificationUrl"},
		{`{"name":"n","eventTypes":["error"],"eventNotificationUrl":"hooks.example.test/in"}`, "eventNotificationUrl"},
		{`{"name":"n","eventTypes":["error"],"eventNotificationUrl":"ftp://hooks.example.test/in"}`, "eventNotificationUrl"},
		{`{"name":"n","eventTypes":["error"],"eventNotificationUrl":"https:///in"}`, "eventNotificationUrl"},
		{`{"name":"n","eventTypes":["error"],` + to + `,"key":1}`, "key"}, {`{"name":"n","eventTypes":["error"],` + to + `,"secret":"k"}`, "secret"},
		{`{"name":"n","events":["error"],` + to + `}`, "events"}, {`{"name":"n","eventTypes":["error"],"url":"https://hooks.example.test/in"}`, "url"},
	}
	for _, w := range []wrongBodies{{"POST", "/webhooks", nil}, {"PUT", "/webhooks/{hook}", nil}} {
		all = append(all, wrongBodies{w.method, w.path, bodies})
	}
	return all
}

func wrongOthers() []wrongBodies {
	return []wrongBodies{
		{"POST", "/bankaccounts/{BankAccountID}/transactions", [][2]string{
			{`{"matterId":"{matter}"}`, "amount: must be greater than 0"}, {`{"matterId":"{matter}","amount":0}`, "amount: must be greater than 0"},
			{`{"matterId":"{matter}","amount":-1}`, "amount: must be greater than 0"}, {`{"matterId":"{matter}","amount":0.001}`, "amount: must have at most two"},
			{`{"matterId":"{matter}","amount":"10.00"}`, "amount: must be a number"},
		}},
		{"POST", "/matters/{matter}/documents/folders", [][2]string{{`{"name":"a" "b"}`, "invalid JSON: invalid character"}}},
		{"PATCH", "/matters/{matter}/fees/{fee}", [][2]string{{`{"activityCode":"{activity}"}`, "activityCode: must have at most"}}},
		{"POST", "/contacts/{contact}/tags", [][2]string{
			{`"t"`, "array"}, {`{"tags":["t"]}`, "array"}, {`[1]`, "array"}, {`[null]`, "array"}, {`[{"name":"t"}]`, "array"}, {`["t"`, "array"},
			{`[] []`, "followed by more data"},
		}},
		{"POST", "/contacts/{contact}/relations", [][2]string{{`{}`, "relatedContactId: is required"}}},
		{"PUT", "/contacts/{contact}/relations/{related}", [][2]string{
			{`{"relatedContactId":"{contact}"}`, "relatedContactId"},
		}},
		{"PUT", "/contacts/{contact}/relations/{contact}", [][2]string{{`{"businessRole":"Self"}`, "itself"}}},
		{"POST", "/matters/{matter}/portal/messages", [][2]string{
			{`{}`, "message"}, {`{"message":"m"}`, "contactId"}, {`{"message":"m","contactId":null}`, "contactId"},
		}},
	}
}

// mistakesInAddresses returns mistakes in paths and queries that do not belong
// to a family.
func mistakesInAddresses() (all []mistake) {
	for status, wrong := range map[int][][2]string{
		404: {
			{"/", "no such path"}, {"/matters/{matter}/documents", "no such path"}, {"/matters//documents/folders", "no such path"},
			{"/webhooks/types/all", "no such path"},
			{"/{account}/nothing", "no such path"},
		},
		400: {
			{"/staff/{staff}%2F..", "id"}, {"/staff/%20{staff}", "id"}, {"/staff/urn:uuid:{staff}", "id"}, {"/staff/.", "id"}, {"/webhooks/type", "id"},
			{"/bankaccounts?type=operating", "type"}, {"/bankaccounts?type=", "type"},
			{"/bankaccounts?type=Trust&type=Credit", "type"}, {"/bankaccounts?matterId=garbage", "matterId"}, {"/bankaccounts?matterId=", "matterId"},
			{"/bankaccounts?limit=5", "limit"}, {"/bankaccounts?status=0", "status"}, {"/events?MatterId=*", "MatterId"},
			{"/events?From=2026-03-02T09:30:00.000", "From"}, {"/events?From=", "From"}, {"/events?UpdatedSince=0", "UpdatedSince"},
			{"/events?ExcludeDeletedEvents=", "ExcludeDeletedEvents"}, {"/events?from_=2026-03-02T09:30:00", "from_"}, {"/events?Offset=99999999999999999999", "Offset"},
			{"/events?Limit=5&limit=5", "Limit: must not occur more than once"}, {"/events?a;b", "the query string cannot be parsed"}, {"/activitycodes?UpdatedSince=2026-03-02T09:30:00", "UpdatedSince"},
			{"/activitycodes?UpdatedSince=1772443800", "UpdatedSince"}, {"/matters/{matter}/documents/files/{file}/download?version=1", "version"},
			{"/matters/{matter}/documents/files/{file}/download?versionid=a&versionId=b", "versionId"},
		},
	} {
		for _, w := range wrong {
			all = append(all, mistake{"GET", w[0], "", "", status, w[1]})
		}
	}
	return append(all, []mistake{
		{"PUT", "/bankaccounts", "{}", "", 405, "only GET"}, {"POST", "/webhooks/types", "{}", "", 405, "only GET"}, {"DELETE", "/webhooks/types", "", "", 405, "only GET"},
		{"DELETE", "/events", "", "", 405, "only GET, POST"}, {"OPTIONS", "/events", "", "", 405, "only GET"}, {"get", "/events", "", "", 405, "only GET"},
	}...)
}
