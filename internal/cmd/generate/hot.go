package main

import "github.com/practicesdk/practice-go/internal/description"

// hot tells which records have code of their own: those that programs read by the thousand, and those whose time is
// measured. The others share code that is driven by tables; it takes about twice the time, and a small part of the
// time to compile.
func (g *generator) hot(s *description.Schema) bool {
	switch s.GoName {
	case
		"Link",                                           // several in every record
		"CalendarEvent",                                  // walks of events
		"BankAccount", "ContactBalance", "MatterBalance", // lists of accounts, with thousands of balances
		"File", "Folder", "FolderListing", "FolderListingPage", // mirrors of matters
		"FeePatch", "FeeSourceItemWrite", // time recording writes little else
		"MatterPayload", "Notification": // every delivery of a webhook
		return true
	default:
		return false
	}
}

// isolated tells in which records a fault inside an element of a list costs that element only. Other than pages, this
// is the listing of a folder, which holds a page of folders and files.
func isolated(s *description.Schema) bool { return s.GoName == "FolderListing" }
