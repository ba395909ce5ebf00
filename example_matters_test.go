package practice_test

import (
	"context"
	"fmt"
	"log"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

// Types of matters, of one location: each says which roles a matter has.
func ExampleMatterTypesService_All() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()

	wanted := practice.MatterTypeListOptions{Location: "IL", Type: models.Some(models.MatterTypeKindMatterType)}
	for kind, err := range client.MatterTypes.All(ctx, wanted) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(kind.Category+":", kind.Name, kind.RepresentativeOptions)
	}
	// Output:
	// Property: Sale of a home [Seller Buyer]
	// Property: Purchase of a home [Buyer Seller]
	// Property: Commercial lease [Tenant Landlord]
	// Family Law: Divorce [Petitioner Respondent]
	// Litigation: Debt recovery [Plaintiff Defendant]
	// Employment: Unfair dismissal [Employee Employer]
}

// A matter moves to another stage, and a list of what has changed since then has it.
func ExampleStagesService_AllMatterStages() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()
	matterID := server.Firm().MatterID
	sets, err := client.Stages.ListSets(ctx, practice.StageListOptions{})
	if err != nil {
		log.Fatal(err)
	}

	server.Clock().Advance(time.Second)
	since := server.Clock().Now()
	server.SetMatterStage(matterID, sets.Items[0].Stages[3].ID) // as somebody in the firm would

	for reached, err := range client.Stages.AllMatterStages(ctx, practice.StageListOptions{UpdatedSince: since}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(reached.Matter.ID == matterID, reached.Stage.Name)
	}
	// Output:
	// true Settlement
}
