package practicetest_test

// wrongBodies holds bodies that an operation refuses.
type wrongBodies struct {
	method, path string
	bodies       [][2]string // body, and part of the message
}

// mistakesInBodies returns the bodies that violate the description of a member
// or a rule about several members.
func mistakesInBodies() (all []mistake) {
	for _, w := range slicesOf(wrongSubscriptions(), wrongOthers(), wrongByRule()) {
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
		{"DELETE", "/contacts/{contact}/tags", [][2]string{{`{}`, "array"}, {`[1]`, "array"}, {`[{"id":"{tag}"}]`, "array"}}},
		{"PUT", "/contacts/{contact}/relations/{related}", [][2]string{
			{`{"relatedContactId":"x"}`, "relatedContactId"}, {`{"relatedContactId":"{contact}"}`, "relatedContactId"},
			{`{"businessRole":1}`, "businessRole"}, {`{"role":"Spouse"}`, "role"},
		}},
		{"PUT", "/contacts/{contact}/relations/{contact}", [][2]string{{`{"businessRole":"Self"}`, "itself"}}},
		{"POST", "/matters/{matter}/portal/messages", [][2]string{
			{`{}`, "message"}, {`{"message":"","contactId":"{contact}"}`, "message"}, {`{"message":"m"}`, "contactId"}, {`{"message":null,"contactId":"{contact}"}`, "message"},
			{`{"message":"m","contactId":"me"}`, "contactId"}, {`{"message":"m","contactId":null}`, "contactId"},
			{`{"message":"m","contactId":"{contact}","requireMFA":"yes"}`, "requireMFA"}, {`{"message":"m","contactId":"{contact}","requireMfa":true}`, "requireMfa"},
			{`{"message":["m"],"contactId":"{contact}"}`, "message"}, {`{"message":"m","contactId":"{contact}","subject":"s"}`, "subject"},
		}},
		{"POST", "/activitycodes", [][2]string{
			{`{"type":4}`, "type"}, {`{"type":"0"}`, "type"}, {`{"code":"123456789012345678901"}`, "code"}, {`{"rate":"1"}`, "rate"},
			{`{"rateType":3}`, "rateType"}, {`{"isBillable":"true"}`, "isBillable"}, {`{"name":"n"}`, "name"},
		}},
	}
}

// mistakesInAddresses returns mistakes in paths and queries that do not belong
// to a family.
func mistakesInAddresses() (all []mistake) {
	for status, wrong := range map[int][][2]string{
		404: {
			{"/", "no such path"}, {"/cases", "no such path"}, {"/matters/{matter}/imagined", "no such path"}, {"/matters/{matter}/documents", "no such path"},
			{"/matters/{matter}/documents/folders/{folder}/files", "no such path"}, {"/matters/{matter}/Documents/folders", "no such path"},
			{"/matters//documents/folders", "no such path"}, {"/branches", "no such path"}, {"/staff/{staff}/", "no such path"},
			{"/webhooks/types/all", "no such path"}, {"/subscriptions/{plan}/nothing", "no such path"}, {"/events/{matter}/x", "no such path"}, {"/bankaccounts/", "no such path"},
			{"/{account}/nothing", "no such path"},
		},
		400: {
			{"/staff/{staff}%2F..", "id"}, {"/staff/%20{staff}", "id"}, {"/staff/urn:uuid:{staff}", "id"}, {"/staff/.", "id"}, {"/webhooks/type", "id"},
			{"/bankaccounts?type=operating", "type"}, {"/bankaccounts?type=0", "type"}, {"/bankaccounts?type=", "type"}, {"/bankaccounts?type=Savings", "type"},
			{"/bankaccounts?type=Trust&type=Credit", "type"}, {"/bankaccounts?matterId=garbage", "matterId"}, {"/bankaccounts?matterId=", "matterId"},
			{"/bankaccounts?limit=5", "limit"}, {"/bankaccounts?status=0", "status"}, {"/events?MatterId=garbage", "MatterId"}, {"/events?MatterId=*", "MatterId"},
			{"/events?From=2026-03-02", "From"}, {"/events?From=2026-03-02T09:30:00Z", "From"}, {"/events?From=2026-03-02T09:30:00.000", "From"},
			{"/events?From=2026-03-02T09:30:00%2B01:00", "From"}, {"/events?From=2026-03-02%2009:30:00", "From"}, {"/events?From=2026-02-30T00:00:00", "From"},
			{"/events?From=now", "From"}, {"/events?From=", "From"}, {"/events?To=tomorrow", "To"}, {"/events?To=1772443800", "To"}, {"/events?To=2026-03-02T25:00:00", "To"},
			{"/events?UpdatedSince=1772443800", "UpdatedSince"}, {"/events?UpdatedSince=1772443800000", "UpdatedSince"}, {"/events?UpdatedSince=0", "UpdatedSince"},
			{"/events?UpdatedSince=-639080406001234567", "UpdatedSince"}, {"/events?UpdatedSince=6.39e17", "UpdatedSince"}, {"/events?UpdatedSince=2026-03-02T09:30:00Z", "UpdatedSince"},
			{"/events?ExcludeDeletedEvents=1", "ExcludeDeletedEvents"}, {"/events?ExcludeDeletedEvents=yes", "ExcludeDeletedEvents"}, {"/events?ExcludeDeletedEvents=", "ExcludeDeletedEvents"},
			{"/events?ExcludeDeleted=true", "ExcludeDeleted"}, {"/events?from_=2026-03-02T09:30:00", "from_"}, {"/events?Sort=start", "Sort"}, {"/events?cursor=x", "cursor"},
			{"/events?Limit=1e2", "Limit"}, {"/events?Limit=0x10", "Limit"}, {"/events?Limit=5%20", "Limit"}, {"/events?Limit=5,5", "Limit"}, {"/events?Offset=99999999999999999999", "Offset"},
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
		{"PATCH", "/webhooks/{hook}", "{}", "", 405, "only DELETE, GET, PUT"}, {"DELETE", "/matters/{matter}/documents/folders", "", "", 405, "only GET, POST"},
		{"GET", "/matters/{matter}/portal/messages", "", "", 405, "only POST"}, {"POST", "/matters/{matter}/fees/{fee}", "{}", "", 405, "GET, PATCH"},
		{"DELETE", "/events", "", "", 405, "only GET, POST"}, {"OPTIONS", "/events", "", "", 405, "only GET"}, {"get", "/events", "", "", 405, "only GET"},
	}...)
}
