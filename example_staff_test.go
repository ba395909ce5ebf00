package practice_test

import (
	"context"
	"fmt"
	"log"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

// Lists of staff have rates only when they are asked for: missing is not zero.
func ExampleStaffService_All() {
	server := startService()
	defer stopService(server)
	ctx, client := context.Background(), clientOf(server)
	id := server.AddStaffMember(models.StaffWrite{FirstName: "Ada", LastName: "Example", Email: "ada@firm.example.test"})

	current, rated := 0, 0
	options := practice.StaffListOptions{Fields: []models.StaffField{models.StaffFieldRate}}
	for member, err := range client.Staff.All(ctx, options) {
		if err != nil {
			log.Fatal(err)
		}
		if !member.Former.Or(false) {
			current++
		}
		if member.Rate.IsPresent() {
			rated++
		}
	}
	fmt.Println(current, "people,", rated, "with a rate")

	// A replacement clears what it leaves out.
	_, err := client.Staff.Update(ctx, id, models.StaffWrite{FirstName: "Ada", LastName: "Example", Email: "ada@firm.example.test", Role: "Lawyer"})
	if err != nil {
		log.Fatal(err)
	}
	server.Settle() // the embedded service makes the changes that it has accepted
	page, err := client.Staff.List(ctx, practice.StaffListOptions{Search: []string{"ada@firm"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(page.Items[0].FirstName, page.Items[0].Role)

	link, err := client.Staff.Create(ctx, models.StaffWrite{FirstName: "Bo", LastName: "Example"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("created, soon to be seen:", link.TargetID() != "")

	// Output:
	// 6 people, 5 with a rate
	// Ada Lawyer
	// created, soon to be seen: true
}
