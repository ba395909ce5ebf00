package mirror

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"path"

	"github.com/practicesdk/practice-go/mirror/internal/plan"
)

// oldEntry is a line of a manifest that was keyed by path.
type oldEntry struct {
	Path     string `json:"path"`
	FileID   string `json:"fileId"`
	FolderID string `json:"folderId"`
	Name     string `json:"name"`
	Version  string `json:"version"`
	SHA256   string `json:"sha256"`
	Lies     string `json:"lies"`
}

// loadByPath reads the lines of an old manifest. It trusts ids, paths and
// digests, not sizes and times: each local file is read once, and where the
// digest is missing, the file of the service as well.
func (m *manifest) loadByPath(text []byte) {
	lines := map[string]oldEntry{}
	for line := range bytes.Lines(text) {
		var e oldEntry
		if json.Unmarshal(line, &e) == nil && fs.ValidPath(e.Path) && e.Path != "." {
			lines[e.Path] = e
		}
	}
	for at, old := range lines {
		parent := ""
		if dir := path.Dir(at); dir != "." {
			if parent = plan.Folder(lines[dir].FolderID).ID; parent == "" {
				continue // its folder is not known: it is found by its name
			}
		}
		e := plan.Entry{Key: plan.File(old.FileID), Parent: parent, Name: old.Name, Alias: path.Base(at)}
		if old.FolderID != "" {
			e.Key = plan.Folder(old.FolderID)
		}
		if e.Name == "" {
			e.Name = e.Alias
		}
		if old.SHA256 != "" && old.Version != "" {
			e.Version, e.Digest = old.Version, old.SHA256
		}
		if e.Key.ID != "" {
			m.base[e.Key] = e
		}
	}
}
