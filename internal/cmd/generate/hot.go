package main

import "github.com/practicesdk/practice-go/internal/description"

// hot reports whether a record gets generated code: records that programs read
// in large numbers, and those whose time is measured. The others share
// table-driven code, which takes up to 1.4 times as long (BenchmarkTables) but
// compiles much faster.
func (g *generator) hot(s *description.Schema) bool {
	if needsCode(s) {
		return true
	}
	switch s.GoName {
	case
		"Link",                                           // several in each record
		"CalendarEvent",                                  // walks of events
		"BankAccount", "ContactBalance", "MatterBalance", // lists of accounts, with thousands of balances
		"File", "Folder", // mirrors of matters
		"FeePatch", "FeeSourceItemWrite", // most writes of time recording
		"StaffMember", "Phone", "OutOfOffice", "LicenceNumber", // measured by the benchmark of a single call
		"Matter",                        // walks of matters
		"MatterPayload", "Notification": // every delivery of a webhook
		return true
	default:
		return false
	}
}

// needsCode reports whether a table cannot describe a record: one that a bare
// list can replace, or one with isolated elements.
func needsCode(s *description.Schema) bool { return s.Kind == description.Page || isolated(s) }

// isolated reports whether a fault inside an element of a list skips only that
// element. This holds for pages, and for the listing of a folder, which
// contains a page of folders and files.
func isolated(s *description.Schema) bool { return s.GoName == "FolderListing" }
