package webhook_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/practicesdk/practice-go/webhook"
)

// A handler decides whether its event is retried, and when.
func ExamplePermanent() {
	receiver, err := webhook.NewReceiver("client0001", webhook.NoKey(),
		webhook.WithStoreTimeout(webhook.DefaultStoreTimeout/2),
		webhook.WithErrorHook(func(_ context.Context, failed *webhook.DeliveryError) {
			if errors.Is(failed, webhook.ErrTooNew) {
				fmt.Println("a clock is wrong")
			}
		}))
	if err != nil {
		fmt.Println(err)
		return
	}
	webhook.OnAny(receiver, func(_ context.Context, event *webhook.Event[json.RawMessage]) error {
		if event.AccountID == "" {
			return webhook.Permanent(errors.New("nobody to do it for"))
		}
		return webhook.RetryAfter(errors.New("the ledger is closed"), time.Hour)
	})
}
