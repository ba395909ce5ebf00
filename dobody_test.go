package practice_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestDoNeverSendsTheMaskOfASecret(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		request := practice.Request{Method: http.MethodPost, Path: "/webhooks", Body: map[string]any{
			"name": "n", "eventTypes": []string{"error"}, "eventNotificationUrl": "https://hooks.example.test/in", "key": models.NewSecret("k-1"),
		}}
		assert.True(t, isArgumentError(client.Do(t.Context(), request, nil)))
		assert.Empty(t, server.Requests())
	})
}

func TestDoTakesJSONTextAsBytes(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		request := practice.Request{Method: http.MethodPost, Path: "/contacts/{id}/tags", PathValues: []string{server.Firm().ContactID}, Body: []byte(`["VIP"]`)}
		require.NoError(t, client.Do(t.Context(), request, nil))
		assert.Equal(t, `["VIP"]`, string(server.Requests()[0].Body))
		request.Body = []byte(`not JSON`)
		assert.True(t, isArgumentError(client.Do(t.Context(), request, nil)))
	})
}

// The storage may answer before it has read a large body; closing the embedded
// service then waits for the connection that net/http keeps a moment longer.
func TestAnEarlyRefusalOfALargeUpload(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		server.Inject(practicetest.Fault{Operation: "storage.put", Status: http.StatusForbidden, Times: -1})
		_, err := client.Documents.Upload(t.Context(), server.Firm().MatterID, practice.Upload{Name: "a.bin", Body: strings.NewReader(strings.Repeat("x", 1<<20))})
		require.Error(t, err)
	})
}

func TestTheProgressOfAnEmptyUpload(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		told := 0
		_, err := client.Documents.Upload(t.Context(), server.Firm().MatterID, practice.Upload{
			Name: "empty.txt", Body: strings.NewReader(""), Progress: func(done, total int64) { told++; assert.Zero(t, done+total) },
		})
		require.NoError(t, err)
		assert.Equal(t, 1, told)
	})
}
