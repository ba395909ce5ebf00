package practice

import (
	"slices"
	"strconv"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/models"
)

// placeFaults numbers the faults of a page of a folder as its entries are
// counted, all folders, then all files, and sorts them so. The decoder counts
// in the order of the text instead, and the listings as well. A listing that
// could not be read at all counts as one entry, before the others.
func placeFaults(listings []models.FolderListing, faults []codec.Fault) {
	if len(faults) == 0 {
		return
	}
	faulty := make(map[string]bool, len(faults))
	for _, fault := range faults {
		faulty[fault.Path] = true
	}
	// elements are the paths of all elements of a list.
	elements := func(list string, readable int) (paths []string) {
		for i := 0; ; i++ {
			path := list + "[" + strconv.Itoa(i) + "]"
			if !faulty[path] {
				if readable == 0 {
					return paths
				}
				readable--
			}
			paths = append(paths, path)
		}
	}
	var order []string
	readable := slices.DeleteFunc(elements("value", len(listings)), func(path string) bool {
		if faulty[path] {
			order = append(order, path)
		}
		return faulty[path]
	})
	for i, listing := range readable {
		order = append(order, elements(listing+".folders", len(listings[i].Folders))...)
	}
	for i, listing := range readable {
		order = append(order, elements(listing+".files", len(listings[i].Files))...)
	}
	for i := range faults {
		faults[i].Index = slices.Index(order, faults[i].Path)
	}
	slices.SortFunc(faults, func(a, b codec.Fault) int { return a.Index - b.Index })
}
