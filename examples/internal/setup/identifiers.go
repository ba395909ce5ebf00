package setup

import (
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/practicetest"
)

// identifiers returns the identifiers of the seeded firm, by the names of their
// variables.
func identifiers(server *practicetest.Server) map[string]string {
	firm := server.Firm()
	firm.UserID = server.Credentials().UserID // who is still there when StaffID has left
	facts := map[string]string{}
	for _, fact := range operations.Facts(firm) {
		facts[fact.Name] = fact.Value
	}
	return facts
}
