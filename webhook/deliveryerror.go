package webhook

import (
	"fmt"
	"log/slog"

	"github.com/practicesdk/practice-go/models"
)

// DeliveryError is a delivery that was not taken, a message from a queue that was not handled, or a store that failed
// although the delivery was. errors.Is matches it with the sentinel of its reason, and with what the handler returned.
// The sender learns the status only. Specification, Delivery rules.
type DeliveryError struct {
	Status    int              // HTTP status of the answer; 0 when the failure did not change it
	RequestID string           // see Event.RequestID; anybody's text unless Verified.Signed
	Type      models.EventType // kind of event; empty when the delivery was refused before it was decoded
	Verified  Verified         // what was verified before the delivery failed
	Attempt   int              // number of the attempt to handle a message from a queue, from 1; 0 within the request
	Dead      bool             // the message became a dead letter
	Err       error            // the reason
}

// Error names the status or the attempt, and the reason.
func (e *DeliveryError) Error() string {
	switch {
	case e.Dead:
		return fmt.Sprintf("webhook: queued delivery given up at attempt %d: %v", e.Attempt, e.Err)
	case e.Attempt > 0:
		return fmt.Sprintf("webhook: attempt %d to handle a queued delivery: %v", e.Attempt, e.Err)
	case e.Status == 0:
		return fmt.Sprintf("webhook: delivery taken, but: %v", e.Err)
	default:
		return fmt.Sprintf("webhook: delivery answered with status %d: %v", e.Status, e.Err)
	}
}

// Unwrap gives the reason.
func (e *DeliveryError) Unwrap() error { return e.Err }

// LogValue gives a log the parts that identify the failure.
func (e *DeliveryError) LogValue() slog.Value {
	return slog.GroupValue(
		slog.Int("status", e.Status), slog.String("type", string(e.Type)), slog.String("request_id", e.RequestID),
		slog.Int("attempt", e.Attempt), slog.Bool("dead", e.Dead), slog.Any("error", e.Err))
}
