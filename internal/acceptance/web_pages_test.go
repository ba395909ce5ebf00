package acceptance_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/practicetest"
)

// TestAWebPageConfirmsNoWrite checks that a page of a proxy with status 200
// does not count as a success of a write, and that the error of a read names it.
func TestAWebPageConfirmsNoWrite(t *testing.T) {
	t.Parallel()
	pages := map[string]string{
		"text/html; charset=utf-8": "<p>Sign in to the network</p>",
		"Application/XHTML+XML":    "<?xml version='1.0'?><p/>",
		"application/json":         "\ufeff \n<!DOCTYPE html><title>Sign in</title>",
		"":                         "<HTML></HTML>",
	}
	forSomeOperations(t, 4, func(t *operationRow, server *practicetest.Server) {
		for kind, page := range pages {
			err := t.op.Call(t.Context(), server.Client(t, practice.WithMiddleware(answersWith(kind, page))), server.Firm())
			require.ErrorIs(t, err, practice.ErrWebPage, "%s: %s", t.op.Name, kind)
			assert.NotContains(t, err.Error(), "has executed")
			assert.Equal(t, t.described.Class == "create", testkit.IsAmbiguous(err), "%s: %v", t.op.Name, err)
			_, unread := errors.AsType[*practice.DecodeError](err)
			assert.Equal(t, t.described.Class == "read", unread, "%s: %v", t.op.Name, err)
		}
	})
}

func TestAnAnswerIsNoWebPageForItsLabelAlone(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"", " \n", "{}", `{"id":"1"}`} {
		client := practicetest.New(t).Client(t, practice.WithMiddleware(answersWith("text/html", body)))
		require.NoError(t, client.Do(t.Context(), practice.Request{Method: http.MethodDelete, Path: "/others"}, nil), "%q", body)
	}
}

// TestTheNotFoundOfAGatewayConfirmsNoDeletion checks that a 404 after a lost
// response counts as that of the service only without a web page.
func TestTheNotFoundOfAGatewayConfirmsNoDeletion(t *testing.T) {
	t.Parallel()
	for body, deleted := range map[string]bool{"": true, `{"status":404}`: true, "<!DOCTYPE html><title>default backend - 404</title>": false} {
		synctest.Test(t, func(t *testing.T) {
			server := practicetest.New(t)
			server.Inject(practicetest.Fault{Status: http.StatusBadGateway}, practicetest.Fault{Status: http.StatusNotFound, Body: body, ContentType: "text/html"})
			_, err := server.Client(t).Tasks.Delete(t.Context(), server.Firm().TaskID)
			assert.Equal(t, deleted, err == nil, body)
		})
	}
}

func answersWith(kind, body string) func(http.RoundTripper) http.RoundTripper {
	return func(http.RoundTripper) http.RoundTripper {
		return testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(strings.NewReader(body))}, nil
		})
	}
}
