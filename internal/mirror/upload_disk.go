package mirror

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
)

// diskPath is the folder that a file system of os.DirFS or of an os.Root shows;
// empty for any other, and where the folder cannot be shown to be the same.
func diskPath(fsys fs.FS) string {
	dir := shownBy(reflect.ValueOf(fsys))
	if dir == "" {
		return ""
	}
	there, err := os.Stat(dir)
	if err != nil {
		return ""
	}
	if root, err := fs.Stat(fsys, "."); err != nil || !os.SameFile(root, there) {
		return ""
	}
	return dir
}

// shownBy asks the two file systems of package os, whose types have no names
// outside of it.
func shownBy(fsys reflect.Value) string {
	rooted := reflect.TypeFor[*os.Root]()
	switch {
	case fsys.Type() == reflect.TypeOf(os.DirFS(".")) && fsys.Kind() == reflect.String:
		return fsys.String()
	case fsys.Type().PkgPath() == "" && fsys.Kind() == reflect.Pointer && fsys.Type().Elem().PkgPath() == rooted.Elem().PkgPath() && fsys.CanConvert(rooted):
		return fsys.Convert(rooted).Interface().(*os.Root).Name()
	}
	return ""
}

// unwritten refuses a tree that shows its manifest where nothing can be noted:
// all that DownloadDir had to call otherwise would be made again, each time.
func (u *upload) unwritten() error {
	text, err := fs.ReadFile(u.fsys, Name)
	if err != nil || len(entriesIn(text, u.Source)) == 0 {
		return nil //nolint:nilerr // there is none, or that of something else
	}
	return fmt.Errorf("%w: nothing can be noted in the manifest that is shown: name its folder as ManifestDir", ErrOther)
}

// partOfAnother refuses a folder that a mirror above it has as one of its own,
// unless it is a mirror by itself: what is known of its files stands in the
// manifest of the other.
func (u *upload) partOfAnother(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil || u.FolderID == "" || len(entriesOf(dir, u.Source)) > 0 {
		return err
	}
	inside := ""
	for at, above := dir, filepath.Dir(dir); above != at; at, above = above, filepath.Dir(above) {
		inside = path.Join(filepath.Base(at), inside)
		if Key(entriesOf(above, sourceOf(above, u.MatterID))[inside].FolderID) == Key(u.FolderID) {
			return fmt.Errorf("%w: it is a part of the mirror in %s: push that one, or name a ManifestDir", ErrOther, above)
		}
	}
	return nil
}

// sourceOf is what a folder mirrors of a matter; empty when that is nothing.
func sourceOf(dir, matterID string) Source {
	text, err := os.ReadFile(filepath.Join(dir, Name)) //nolint:gosec // a folder above the one that the caller names
	if err != nil {
		return Source{}
	}
	first, _, _ := bytes.Cut(text, []byte("\n"))
	var h head
	if json.Unmarshal(first, &h) != nil || Key(h.MatterID) != Key(matterID) {
		return Source{}
	}
	return h.Source
}

// entriesOf are those of the manifest in a folder, if it is that of the source.
func entriesOf(dir string, source Source) map[string]Entry {
	text, err := os.ReadFile(filepath.Join(dir, Name)) //nolint:gosec // a folder that the caller names, or one above it
	if err != nil {
		return nil
	}
	return entriesIn(text, source)
}

func entriesIn(text []byte, source Source) map[string]Entry {
	seen := &Manifest{source: source, entries: map[string]Entry{}, readOnly: errOnlyRead}
	if seen.load(text) != nil {
		return nil
	}
	return seen.entries
}
