package practice_test

import (
	"context"
	"fmt"
	"log"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

// The leads of the firm, with the members that a list leaves out otherwise.
func ExampleMattersService_All() {
	server := startService()
	defer stopService(server)
	client, ctx := clientOf(server), context.Background()

	options := practice.MatterListOptions{
		Type: models.MatterKindsLeads, Sort: models.MatterSortLastUpdated, Fields: []models.MatterField{models.MatterFieldTags},
	}
	leads := 0
	for lead, err := range client.Matters.All(ctx, options) {
		if err != nil {
			log.Fatal(err)
		}
		if lead.IsLead.Or(false) {
			leads++
		}
	}
	fmt.Println(leads, "leads")
	// Output: 2 leads
}
