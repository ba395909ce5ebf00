package webhook_test

import (
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/practicesdk/practice-go/webhook"
)

// A receiver counts refused deliveries by reason.
func ExampleReceiver_Refusals() {
	receiver, err := webhook.NewReceiver("client0001", webhook.Keys("k-0123456789"))
	if err != nil {
		log.Panic(err)
	}
	forged := httptest.NewRequest(http.MethodPost, "/hooks", strings.NewReader(`{"type":"matter.updated"}`))
	receiver.ServeHTTP(httptest.NewRecorder(), forged)
	fmt.Println(receiver.Stats().Refused, "refused,", receiver.Refusals()[webhook.ErrNoSignature], "not signed")
	// Output: 1 refused, 1 not signed
}
