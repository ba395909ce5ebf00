package practice_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// Modify changes one member of a record; the others stay, although a PUT
// replaces all.
func ExampleActivityCodesService_Modify() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()
	id := server.AddActivityCode(models.ActivityCodeWrite{Code: "ADV", Description: "Advice"})

	_, err := client.ActivityCodes.Modify(ctx, id, func(code *models.ActivityCodeWrite) error {
		code.Rate, code.RateType = models.MustDecimal("395.00"), models.Some(models.ActivityRateTypeOverrideRateForAllStaff)
		return nil
	})
	if errors.Is(err, practice.ErrChangedMeanwhile) {
		log.Fatal("somebody else was faster: try again")
	}
	if err != nil {
		log.Fatal(err)
	}
	server.Settle()
	code, _ := server.ActivityCode(id)
	fmt.Println(code.Description, code.Rate)
	// Output: Advice 395.00
}

// A replacement would clear members that cannot be read back. The caller sets
// them or accepts the loss.
func ExampleModifyError() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()
	id := server.Firm().WebhookID

	rename := func(w *models.WebhookSubscriptionWrite) error { w.Name = "integration"; return nil }
	_, err := client.Webhooks.Modify(ctx, id, rename)
	refused, ok := errors.AsType[*practice.ModifyError](err)
	if !ok || !errors.Is(err, practice.ErrWouldBeLost) {
		log.Fatal(err)
	}
	fmt.Println(refused.Members)

	_, err = client.Webhooks.Modify(ctx, id, func(w *models.WebhookSubscriptionWrite) error {
		w.Key = models.Null[models.Secret]() // WithLoss does the same for methods that do not require the member
		return rename(w)
	})
	fmt.Println(err)
	// Output:
	// [key]
	// <nil>
}

// A later release of the service sends members that this version does not know.
// They count as state until the caller accepts their loss.
func ExampleUnknownMembers() {
	server := startService(practicetest.WithRendering(practicetest.Rendering{Unknown: true}))
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()
	asItIs := func(*models.ActivityCodeWrite) error { return nil }
	_, err := client.ActivityCodes.Modify(ctx, server.Firm().ActivityCodeID, asItIs)
	fmt.Println(errors.Is(err, practice.ErrWouldBeLost))
	_, err = client.ActivityCodes.Modify(ctx, server.Firm().ActivityCodeID, asItIs, practice.WithLoss(practice.UnknownMembers))
	fmt.Println(err)
	// Output:
	// true
	// <nil>
}

// With WithLoss, the loss of a member is no error.
func ExampleWithLoss() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()
	_, err := client.Groups.Modify(ctx, server.Firm().GroupID, func(*models.GroupWrite) error { return nil }, practice.WithLoss("displayName"))
	fmt.Println(err)
	// Output: <nil>
}
