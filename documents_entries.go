package practice

import (
	"context"
	"errors"
	"iter"
	"sort"
	"strconv"
	"strings"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/internal/paging"
	"github.com/practicesdk/practice-go/models"
)

// documentsAllEntries lists the entries of a folder, or of the root folder.
func documentsAllEntries(of operation, root bool) *list[Entry] {
	return &list[Entry]{&listCore{operation: of, all: "Documents.AllEntries", key: entryKey, names: lowerNames, read: readEntries, plain: root}}
}

// ErrFolderDeleted reports that a folder is deleted. ListFolder lists such a
// folder as empty, and RestoreFolder restores it.
var ErrFolderDeleted = errors.New("the folder has been deleted")

// Entry is a subfolder or a file of a folder; the other field is nil.
type Entry struct {
	Folder *models.Folder
	File   *models.File
}

// ID returns the id of the folder or file.
func (e Entry) ID() string {
	switch {
	case e.Folder != nil:
		return e.Folder.ID
	case e.File != nil:
		return e.File.ID
	}
	return ""
}

// Name returns the name of the folder, or of the file with its extension.
func (e Entry) Name() string {
	switch {
	case e.Folder != nil:
		return e.Folder.Name
	case e.File != nil:
		return e.File.FileName()
	}
	return ""
}

// AllEntries yields all subfolders and then all files of a folder; an empty
// folderID means the root folder of the matter. Limit and Offset count folders
// and files together.
func (s *DocumentsService) AllEntries(ctx context.Context, matterID, folderID string, opts ...CallOption) iter.Seq2[Entry, error] {
	if folderID == "" {
		return documentsAllEntries(documentsListRootFolder, true).walk(ctx, s.client, ListOptions{}, opts, matterID)
	}
	return documentsAllEntries(documentsListFolder, false).walk(ctx, s.client, ListOptions{}, opts, matterID, folderID)
}

func entryKey(record any) string {
	e := record.(*Entry)
	switch {
	case e.ID() == "":
		return ""
	case e.Folder != nil:
		return "folder " + e.Folder.ID
	}
	return "file " + e.File.ID
}

func folderPage(c *call, options listOptions) (*FolderPage, error) {
	options.filter(c)
	var page *FolderPage
	err := c.doPage(func(r result) error {
		read := &FolderPage{Response: r.response()}
		faults, err := r.readFolder(&read.FolderListingPage, 0)
		if err != nil {
			return err
		}
		page = read
		r.answer.Release()
		for i := range page.Items {
			c.found.records += len(page.Items[i].Folders) + len(page.Items[i].Files)
		}
		placeFaults(page.Items, faults)
		return errors.Join(c.recordErrors(faults, page.Offset.Or(0))...)
	})
	return page, err
}

// readEntries returns the entries of a page as one list. An item of the page's
// value holds many entries.
func readEntries(r result, offset int) (*paging.Page, error) {
	var page models.FolderListingPage
	faults, err := r.readFolder(&page, offset)
	if err != nil {
		return nil, err
	}
	if page.IsDeleted.Or(false) {
		return nil, ErrFolderDeleted
	}
	records := &paging.Decoded[Entry]{Done: r.answer.Release}
	for i := range page.Items {
		for j := range page.Items[i].Folders {
			records.Items = append(records.Items, Entry{Folder: &page.Items[i].Folders[j]})
		}
	}
	for i := range page.Items {
		for j := range page.Items[i].Files {
			records.Items = append(records.Items, Entry{File: &page.Items[i].Files[j]})
		}
	}
	placeFaults(page.Items, faults)
	for _, fault := range faults {
		records.Faults = append(records.Faults, paging.Fault{Place: fault.Index, Text: fault.Raw, Err: r.call.recordError(fault, offset)})
	}
	return &paging.Page{Records: records, Text: r.listed(), Paging: page.Paging}, nil
}

// readFolder decodes a page of a folder. It refuses a bare empty array, because
// many other responses look like that. It accepts null in place of the list
// only if the page has the name of its folder.
func (r result) readFolder(page *models.FolderListingPage, offset int) ([]codec.Fault, error) {
	faults, err := r.decode(page)
	if err == nil {
		listed := page.Items != nil && (len(page.Items) > 0 || len(faults) > 0 || !r.bare())
		empty := page.IsDeleted.Or(false) || page.Items == nil && page.Name != "" && r.isNullList(&page.Paging)
		err = r.unlisted(listed || empty, offset, &page.Paging)
	}
	if err != nil {
		return nil, err
	}
	return faults, nil
}

// placeFaults numbers the faults of a page by the order of its entries, all
// folders before all files, and sorts them. The decoder numbers them in the
// order of the text and counts the listings as well.
func placeFaults(listings []models.FolderListing, faults []codec.Fault) {
	if len(faults) == 0 {
		return
	}
	faulty := make(map[string]bool, len(faults))
	for _, fault := range faults {
		faulty[fault.Path] = true
	}
	places := map[string]int{}
	for place, path := range entryPaths(listings, faulty) {
		places[path] = place
	}
	for i := range faults {
		faults[i].Index = places[faults[i].Path]
	}
	sort.Slice(faults, func(i, j int) bool { return faults[i].Index < faults[j].Index })
}

// entryPaths returns the JSON paths of the entries of a page, in order. A
// listing that could not be decoded counts as one entry and comes first.
func entryPaths(listings []models.FolderListing, faulty map[string]bool) (order []string) {
	var readable []string
	for _, listing := range elementPaths("value", len(listings), faulty) {
		if faulty[listing] {
			order = append(order, listing)
		} else {
			readable = append(readable, listing)
		}
	}
	for i, listing := range readable {
		order = append(order, elementPaths(listing+".folders", len(listings[i].Folders), faulty)...)
	}
	for i, listing := range readable {
		order = append(order, elementPaths(listing+".files", len(listings[i].Files), faulty)...)
	}
	return order
}

// elementPaths returns the JSON paths of all elements of a list, given the
// number of decoded elements and the paths of faulty ones.
func elementPaths(list string, readable int, faulty map[string]bool) (paths []string) {
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

// folderKey returns a key for comparing folder ids, whose case may differ.
func folderKey(id string) string { return strings.ToLower(id) }

// deleted reports whether the service marked the entry as deleted.
func (e Entry) deleted() bool {
	return e.Folder != nil && e.Folder.IsDeleted.Or(false) || e.File != nil && e.File.IsDeleted.Or(false)
}
