package practicetest_test

import (
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/practicetest"
)

// mistake is a request that a correct client would not send. The service
// refuses it with status and reports it once, with a message that contains
// about. Names in braces are replaced by ids of the firm.
type mistake struct {
	method, path, body string
	header             string // "Name: value"; without a value the header is removed
	status             int
	about              string
}

// TestEveryMistakeIsNoticed sends all mistakes to one service.
func TestEveryMistakeIsNoticed(t *testing.T) {
	soak.NotWithRaceDetector(t, "one call at a time")
	t.Parallel()
	s := practicetest.New(t, practicetest.WithRequestLog(0))
	user, client, names := call(t, s), call(t, s).asClient(), identifiers(s.Firm())
	all := slices.Concat(mistakesOfOperations(t), mistakesInBodies(), mistakesInAddresses(), mistakesInHeaders())
	assert.GreaterOrEqual(t, len(all), 290)
	for _, m := range all {
		as := user
		if strings.HasPrefix(m.path, "/plugins/") && strings.Contains(m.path, "/url") { // this operation needs client credentials
			as = client
		}
		if name, value, given := strings.Cut(m.header, ":"); given {
			as = as.with(name, strings.TrimSpace(value))
		}
		var got answer
		found := s.Tolerate(func() { got = as.do(m.method, names.Replace(m.path), names.Replace(m.body)) })
		assert.Equal(t, m.status, got.Status, "%+v: %s", m, got.Body)
		assert.Equal(t, m.status == http.StatusUnauthorized, got.Header.Get("WWW-Authenticate") == `Bearer error="invalid_token"`, "%+v", m)
		if assert.Len(t, found, 1, "%+v: %s", m, got.Body) {
			assert.Contains(t, found[0], names.Replace(m.about), "%+v", m)
			if m.status == http.StatusMethodNotAllowed {
				assert.True(t, strings.HasSuffix(found[0], "only "+got.Header.Get("Allow")), "%+v: %s", m, found[0])
			}
		}
	}
}

// TestEveryMistakeAtTheTokenEndpointIsNoticed sends forms that the token
// endpoint refuses. Those that the state decides are no mistakes.
func TestEveryMistakeAtTheTokenEndpointIsNoticed(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	id := "client_id=" + s.Credentials().ClientID
	right := id + "&grant_type=client_credentials"
	for _, m := range []struct {
		mistake
		code string // error of the response
	}{
		{mistake{"POST", "", "grant_type=client_credentials", "", 400, "the form does not contain client_id"}, "invalid_request"},
		{mistake{"POST", "", id, "", 400, "the form does not contain grant_type"}, "invalid_request"},
		{mistake{"POST", "", id + "&grant_type=", "", 400, "grant_type"}, "invalid_request"},
		{mistake{"POST", "", id + "&grant_type=password&username=u&password=p", "", 400, "password"}, "unsupported_grant_type"},
		{mistake{"POST", "", id + "&grant_type=Client_Credentials", "", 400, "Client_Credentials"}, "unsupported_grant_type"},
		{mistake{"POST", "", id + "&grant_type=refresh_token", "", 400, "the form does not contain refresh_token"}, "invalid_request"},
		{mistake{"POST", "", id + "&grant_type=refresh_token&refresh_token=x", "", 400, ""}, "invalid_grant"},
		{mistake{"POST", "", id + "&grant_type=authorization_code", "", 400, "the form does not contain code"}, "invalid_request"},
		{mistake{"POST", "", id + "&grant_type=authorization_code&code=x", "", 400, ""}, "invalid_grant"},
		{mistake{"POST", "", right + "&scope=all", "", 400, "all"}, "invalid_scope"},
		{mistake{"POST", "", right + "&scope=fees/read,fees/write", "", 400, "fees/read,fees/write"}, "invalid_scope"},
		{mistake{"POST", "", right + "&" + id, "", 400, "more than once"}, "invalid_request"},
		{mistake{"POST", "", right + "&grant_type=client_credentials", "", 400, "more than once"}, "invalid_request"},
		{mistake{"POST", "", "%zz", "", 400, "cannot be parsed"}, "invalid_request"},
		{mistake{"POST", "", `{"grant_type":"client_credentials"}`, "Content-Type: application/json", 400, "form-encoded"}, "invalid_request"},
		{mistake{"POST", "", right, "Content-Type: text/plain", 400, "form-encoded"}, "invalid_request"},
		{mistake{"POST", "", right, "Content-Type:", 400, "form-encoded"}, "invalid_request"},
		{mistake{"POST", "", right, "Authorization:", 401, "Basic"}, "invalid_client"},
		{mistake{"POST", "", right, "Authorization: Bearer x", 401, "Basic"}, "invalid_client"},
		{mistake{"POST", "", right, "Authorization: Basic eDp5", 401, ""}, "invalid_client"},
		{mistake{"POST", "", "client_id=x&grant_type=client_credentials", "", 401, ""}, "invalid_client"},
		{mistake{"GET", "", "", "", 405, "does not support this method"}, ""},
		{mistake{"PUT", "", right, "", 405, "does not support this method"}, ""},
		{mistake{"POST", "/", right, "", 404, "does not have this path"}, ""},
	} {
		request, err := http.NewRequestWithContext(t.Context(), m.method, s.TokenURL()+m.path, strings.NewReader(m.body))
		require.NoError(t, err)
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.SetBasicAuth(s.Credentials().ClientID, s.Credentials().ClientSecret)
		if name, value, given := strings.Cut(m.header, ":"); given {
			request.Header.Set(name, strings.TrimSpace(value))
		}
		found := s.Tolerate(func() {
			got := send(t, s, request)
			assert.Equal(t, m.status, got.Status, "%+v", m)
			assert.Equal(t, m.status == 401, got.Header.Get("WWW-Authenticate") == `Basic realm="token"`, "%+v", m)
			if m.code != "" {
				assert.Equal(t, m.code, got.text("error"), "%+v", m)
				assert.NotEmpty(t, got.text("error_description"), "%+v", m)
			}
		})
		if assert.Len(t, found, min(len(m.about), 1), "%+v", m) && m.about != "" {
			assert.Contains(t, found[0], m.about)
		}
	}
}

// identifiers replaces names in braces by ids of the firm. A name is that of a
// field of Firm or a short one.
func identifiers(f practicetest.Firm) *strings.Replacer {
	names := []string{
		"{matter}", f.MatterID, "{folder}", f.FolderID, "{file}", f.FileID, "{fee}", f.FeeID, "{expense}", f.ExpenseID, "{contact}", f.ContactID,
		"{related}", f.RelatedContactID, "{tag}", f.TagID, "{staff}", f.StaffID, "{user}", f.UserID, "{role}", f.RoleID, "{policy}", f.PolicyReference,
		"{plan}", f.SubscriptionID, "{payment}", f.PaymentMethodID, "{hook}", f.WebhookID, "{activity}", f.ActivityCodeID, "{account}", f.AccountID,
	}
	for field, value := range reflect.ValueOf(f).Fields() {
		if value.Kind() == reflect.String {
			names = append(names, "{"+field.Name+"}", value.String())
			continue
		}
		for i := range value.Len() {
			names = append(names, "{"+field.Name+strconv.Itoa(i)+"}", value.Index(i).String())
		}
	}
	return strings.NewReplacer(names...)
}

func mistakesInHeaders() []mistake {
	return []mistake{
		{"GET", "/bankaccounts", "", "Authorization: Bearer", 401, "not a bearer credential"},
		{"GET", "/bankaccounts", "", "Authorization: Basic eDp5", 401, "not a bearer credential"},
		{"GET", "/bankaccounts", "", "Authorization: token", 401, "not a bearer credential"},
		{"GET", "/bankaccounts", "", "UserId: 6b1f", 400, "UserId"},
		{"GET", "/v1/staff/{staff}", "", "", 401, "account prefix"},
		{"GET", "/00000000-0000-0000-0000-000000000000/webhooks", "", "", 401, "account prefix"},
		{"POST", "/matters/{matter}/documents/folders", `{"name":"n"}`, "Content-Type:", 415, "media type"},
		{"POST", "/matters/{matter}/documents/folders", `{"name":"n"}`, "Content-Type: application/jsonx", 415, "media type"},
		{"POST", "/matters/{matter}/documents/folders", `{"name":"n"}`, "Content-Type: application/json;;", 415, "media type"},
		{"POST", "/matters/{matter}/documents/folders", `{"name":"n"}`, "Content-Type: multipart/form-data", 415, "media type"},
		{"POST", "/matters/{matter}/documents/folders", `{"name":"n"}`, "Content-Type: +json", 415, "media type"},
		{"POST", "/webhooks", "", "Content-Type: application/json", 400, "not a JSON object"},
	}
}
