package webhook

import (
	"fmt"
	"log/slog"

	"github.com/practicesdk/practice-go/models"
)

// DeliveryError is a delivery that was not taken. errors.Is matches it with the sentinel of its reason, and with what
// the handler returned. The sender learns the status only. Specification, Delivery rules.
type DeliveryError struct {
	Status    int              // HTTP status of the answer
	RequestID string           // see Event.RequestID; anybody's text unless Verified.Signed
	Type      models.EventType // kind of event; empty when the delivery was refused before it was decoded
	Verified  Verified         // what was verified before the delivery failed
	Err       error            // the reason
}

// Error names the status and the reason.
func (e *DeliveryError) Error() string {
	return fmt.Sprintf("webhook: delivery answered with status %d: %v", e.Status, e.Err)
}

// Unwrap gives the reason.
func (e *DeliveryError) Unwrap() error { return e.Err }

// LogValue gives a log the parts that identify the failure.
func (e *DeliveryError) LogValue() slog.Value {
	return slog.GroupValue(
		slog.Int("status", e.Status), slog.String("type", string(e.Type)),
		slog.String("request_id", e.RequestID), slog.Any("error", e.Err))
}
