package objectstore

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAnAddressHoldsWhatAClientMustNotRewrite(t *testing.T) {
	t.Parallel()
	f := newStorageFixture(t)
	address := f.Presign("GET", "a/b", noon.Add(time.Hour), storageBase, `attachment; filename="1. Agenda.docx"`)
	path, query, _ := strings.Cut(pathOf(address), "?")
	assert.Equal(t, "/bucket/a%2Fb%3D", path)
	for _, escaped := range []string{"%2F", "%2B", "%3D"} {
		assert.Contains(t, query, escaped)
	}
	assert.Contains(t, query, fmt.Sprintf("&Expires=%d&", noon.Add(time.Hour).Unix()))

	f.Put("a/b", []byte("x"))
	resp, _ := f.do(t, "GET", address, nil)
	assert.Equal(t, http.StatusOK, resp.StatusCode)
	assert.Equal(t, `attachment; filename="1. Agenda.docx"`, resp.Header.Get("Content-Disposition"))
}

func TestAnAlteredAddressIsRefused(t *testing.T) {
	t.Parallel()
	f := newStorageFixture(t)
	f.Put("a/b", []byte("x"))
	f.Put("a/c", []byte("x"))
	good := f.address("GET", "a/b")
	parsed, err := url.Parse(good)
	require.NoError(t, err)
	tests := map[string]struct{ address, code string }{
		"query encoded again":      {strings.Split(good, "?")[0] + "?" + parsed.Query().Encode(), "SignatureDoesNotMatch"},
		"query decoded":            {strings.ReplaceAll(good, "%3D", "="), "SignatureDoesNotMatch"},
		"plus decoded":             {strings.Replace(good, "%2B", "+", 1), "SignatureDoesNotMatch"},
		"path decoded":             {strings.Replace(good, "a%2Fb", "a/b", 1), "SignatureDoesNotMatch"},
		"path with a literal sign": {strings.Replace(good, "b%3D", "b=", 1), "SignatureDoesNotMatch"},
		"lower-case escapes":       {strings.Replace(good, "%2F", "%2f", 1), "SignatureDoesNotMatch"},
		"another key":              {strings.Replace(good, "a%2Fb", "a%2Fc", 1), "SignatureDoesNotMatch"},
		"a later expiry":           {strings.Replace(good, "&Expires=", "&Expires=9", 1), "SignatureDoesNotMatch"},
		"another host path":        {strings.Replace(good, "/bucket/", "/bucket2/", 1), "SignatureDoesNotMatch"},
		"one more parameter":       {good + "&x=1", "SignatureDoesNotMatch"},
		"a parameter in front":     {strings.Replace(good, "?", "?x=1&", 1), "SignatureDoesNotMatch"},
		"no signature":             {strings.Split(good, "&Signature=")[0], "AccessDenied"},
		"no query":                 {strings.Split(good, "?")[0], "AccessDenied"},
		"somebody else's secret": {
			New(f.clock.Now, []byte("other")).Presign("GET", "a/b", noon.Add(time.Minute), storageBase, ""),
			"SignatureDoesNotMatch",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			require.NotEqual(t, good, tt.address)
			resp, body := f.do(t, "GET", tt.address, nil)
			assert.Equal(t, http.StatusForbidden, resp.StatusCode)
			assert.Equal(t, tt.code, errorCode(t, body))
			assert.Equal(t, "application/xml", resp.Header.Get("Content-Type"))
		})
	}
	assert.Len(t, f.violations, len(tests))
	resp, _ := f.do(t, "GET", good, nil)
	assert.Equal(t, http.StatusOK, resp.StatusCode, "the address as it was given")
}

func TestAnAddressExpires(t *testing.T) {
	t.Parallel()
	f := newStorageFixture(t)
	f.Put("k", []byte("x"))
	address := f.Presign("GET", "k", noon.Add(time.Minute), storageBase, "")
	f.clock.Advance(time.Minute)
	resp, _ := f.do(t, "GET", address, nil)
	assert.Equal(t, http.StatusOK, resp.StatusCode, "at its last moment")
	f.clock.Advance(time.Second)
	resp, body := f.do(t, "GET", address, nil)
	assert.Equal(t, http.StatusForbidden, resp.StatusCode)
	assert.Equal(t, "AccessDenied", errorCode(t, body))
	assert.Contains(t, body, "Request has expired")
	assert.Contains(t, body, "<Expires>2026-05-22T12:01:00Z</Expires><ServerTime>2026-05-22T12:01:01Z</ServerTime>")
	assert.Empty(t, f.violations, "time passes for everybody")
}

func FuzzVerifyAdmitsNothingButWhatWasSigned(f *testing.F) {
	clock := &testClock{now: noon}
	s := New(clock.Now, []byte("secret"))
	good := pathOf(s.Presign("GET", "a/b", noon, storageBase, ""))
	f.Add("GET", good)
	f.Add("PUT", good)
	f.Add("GET", good+"&Signature=")
	f.Add("GET", storageBase+strings.TrimPrefix(good, "/bucket"))
	f.Add("GET", "?&Signature=")
	f.Fuzz(func(t *testing.T, method, uri string) {
		a, fault := s.verify(&http.Request{Method: method, RequestURI: uri})
		if fault == nil {
			assert.Equal(t, "GET "+good, method+" "+pathOf(uri))
			assert.Equal(t, "a/b", a.key)
		}
	})
}
