package main

import "github.com/practicesdk/practice-go/internal/description"

// hot lists the records with code of their own: those that programs read by the
// thousand, and those whose time is measured. The others share table-driven
// code, which takes up to 1.4 times as long to read and write
// (BenchmarkTables), but compiles much faster.
func (g *generator) hot(s *description.Schema) bool {
	if needsCode(s) {
		return true
	}
	switch s.GoName {
	case
		"Link",                                           // several in every record
		"CalendarEvent",                                  // walks of events
		"BankAccount", "ContactBalance", "MatterBalance", // lists of accounts, with thousands of balances
		"File", "Folder", // mirrors of matters
		"FeePatch", "FeeSourceItemWrite", // time recording writes little else
		"StaffMember", "Phone", "OutOfOffice", "LicenceNumber", // a benchmark measures one call by it
		"Matter",                        // walks of matters
		"MatterPayload", "Notification": // every delivery of a webhook
		return true
	default:
		return false
	}
}

// needsCode reports whether tables cannot describe a record: one with a list in
// place of a page, or with isolated elements.
func needsCode(s *description.Schema) bool { return s.Kind == description.Page || isolated(s) }

// isolated reports whether a fault inside an element of a list skips that
// element only. Besides pages, this holds for the listing of a folder, which
// holds a page of folders and files.
func isolated(s *description.Schema) bool { return s.GoName == "FolderListing" }
