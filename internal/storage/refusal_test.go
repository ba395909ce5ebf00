package storage

import (
	"bytes"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// refusal is the part of an error document that is read.
type refusal struct{ code, message string }

func readRefusal(document []byte) (r refusal, ok bool) {
	e := ErrorDocument(200, document)
	if e == nil {
		return r, false
	}
	return refusal{e.Code, e.Message}, true
}

func TestWhatIsARefusal(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, document string
		want           refusal
		ok             bool
	}{
		{"of S3", `<?xml version="1.0" encoding="UTF-8"?>` + "\n<Error><Code>AccessDenied</Code><Message>Request has expired</Message><RequestId>7</RequestId></Error>", refusal{"AccessDenied", "Request has expired"}, true},
		{"of Azure, with a byte order mark", "\ufeff<?xml version=\"1.0\" encoding=\"utf-8\"?><Error><Code>AuthenticationFailed</Code><Message>a\nb</Message></Error>", refusal{"AuthenticationFailed", "a\nb"}, true},
		{"with a namespace", `<e:Error xmlns:e="x"><Code>SlowDown</Code></e:Error>`, refusal{code: "SlowDown"}, true},
		{"with attributes", `<Error a="b"><Code> SlowDown </Code></Error>`, refusal{code: "SlowDown"}, true},
		{"behind comments and declarations", "<!DOCTYPE Error><!-- <a> --><?x <b>?> <Error/>", refusal{}, true},
		{"cut off", "<Error><Code>InternalError</Code><Mess", refusal{code: "InternalError"}, true},
		{"a code that is none", "<Error><Code>a\nb</Code></Error>", refusal{}, true},
		{"a code without an end in sight", "<Error><Code>" + strings.Repeat("a", 1000) + "</Code></Error>", refusal{}, true},
		{"a code with markup", "<Error><Code>a&amp;b</Code></Error>", refusal{}, true},
		{"an element without an end", "<Error><Code>a", refusal{}, true},
		{"another document", "<Result><Error><Code>a</Code></Error></Result>", refusal{}, false},
		{"a similar one", "<Errors/>", refusal{}, false},
		{"a page", "<!DOCTYPE html><html><Error></html>", refusal{}, false},
		{"an open comment", "<!-- <Error/>", refusal{}, false},
		{"a text", "Error", refusal{}, false},
		{"nothing", "", refusal{}, false},
		{"the beginning of a tag", "<", refusal{}, false},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			got, ok := readRefusal([]byte(test.document))
			assert.Equal(t, test.ok, ok)
			assert.Equal(t, test.want, got)
		})
	}
}

// FuzzRefusal checks that no document that encoding/xml decodes as a refusal
// passes as a success, and that its code is the same or empty.
func FuzzRefusal(f *testing.F) {
	for _, document := range []string{
		`<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>m</Message></Error>`, "<e:Error xmlns:e='x'><Code>a</Code></e:Error>",
		"<Error><Code>a&lt;</Code></Error>", "<CopyObjectResult/>", "<?x?><!-- --><Error/>",
	} {
		f.Add([]byte(document))
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		got, ok := readRefusal(document)
		if !ok {
			assert.Zero(t, got)
		}
		var want struct {
			XMLName xml.Name `xml:"Error"`
			Code    []string
		}
		declares := bytes.Contains(document, []byte("<!")) // DTDs may nest in ways that no storage uses
		if declares || xml.Unmarshal(document, &want) != nil {
			return
		}
		assert.True(t, ok, "%q", document)
		if got.code != "" && len(want.Code) == 1 && bytes.Count(document, []byte("<Code")) == 1 {
			assert.Equal(t, strings.TrimSpace(want.Code[0]), got.code, "%q", document)
		}
	})
}
