package webhook_test

import (
	"bytes"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

func TestAnEventLogsItselfWithoutItsPayload(t *testing.T) {
	t.Parallel()
	event := webhook.Event[models.Contact]{
		Type: "contact.created", AccountID: "a-1", RequestID: "r-1",
		Payload: models.Contact{Person: models.Person{LastName: "Marked"}}, Raw: []byte(`{"payload":"Marked"}`),
	}
	var out bytes.Buffer
	for _, handler := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
		slog.New(handler).Info("came", "event", event, "pointer", &event)
	}
	assert.Contains(t, out.String(), "event.type=contact.created event.account_id=a-1")
	assert.NotContains(t, out.String(), "Marked")
}
