package practice_test

import (
	"bytes"
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

// The PDF of the first invoice of a matter, in memory.
func ExampleInvoicesService_Download() {
	server := startService()
	defer stopService(server)
	client, ctx, firm := clientOf(server), context.Background(), server.Firm()

	var pdf bytes.Buffer
	if _, err := client.Invoices.Download(ctx, firm.MatterID, firm.InvoiceID, &pdf); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", pdf.Bytes()[:5])
	// Output: %PDF-
}
