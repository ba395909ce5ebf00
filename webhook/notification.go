package webhook

import (
	"bytes"
	"encoding/json"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/models"
)

// notification is the body of a delivery. Other than models.Notification it takes a payload of any kind, because the
// payloads of most events are not specified.
type notification struct {
	accountID      string
	userID         string
	subscriptionID string
	kind           models.EventType
	source         string
	timestamp      models.Ticks
	payload        json.RawMessage // nil when it is missing or null
	requestID      string
}

// UnmarshalJSONFrom reads the notification from r.
func (n *notification) UnmarshalJSONFrom(r *codec.Reader) error {
	var err error
	m := r.Members([]string{
		"accountId", "userId", "subscriptionId", "type", "source", "timestamp", "payload", "requestId",
	})
	for err == nil && m.Next() {
		switch m.Index {
		case 0:
			err = codec.Text(&n.accountID, r)
		case 1:
			err = codec.Text(&n.userID, r)
		case 2:
			err = codec.Text(&n.subscriptionID, r)
		case 3:
			err = codec.Text(&n.kind, r)
		case 4:
			err = codec.Text(&n.source, r)
		case 5:
			err = n.timestamp.UnmarshalJSONFrom(r)
		case 6:
			if !r.Null() {
				n.payload = bytes.Clone(r.Raw())
			}
		case 7:
			err = codec.Text(&n.requestID, r)
		}
	}
	_, err = m.End(err)
	return err
}
