package practicetest

import "net/http"

// requestPreview accepts a request to create a preview of the current version
// of a file. A preview is created only once.
func (d *documents) requestPreview(s *Server, c *call) (answer, error) {
	id, matter := sameID(c.value("fileId")), []string{sameID(c.value("matterId"))}
	told, err := d.preview(s, c)
	if err != nil {
		return nil, err
	}
	err = s.accept(c, &write{resource: "file", id: id}, func(t *tx) error {
		f, err := t.find(d.files, id, matter)
		if err != nil {
			return err
		}
		key := current(f).key // cannot be nil: preview has found the version, and versions are not deleted
		t.then = func() { s.makePreview(key, f) }
		return nil
	})
	return told, err
}

// makePreview creates a preview of one page. If the content lies in an external
// object store, no preview is stored; its address leads to the content itself.
func (s *Server) makePreview(key string, file *record) {
	s.state.previews[key] = true
	if s.outside == nil {
		s.store.Put(previewKey(key), pdf("Preview of "+file.id))
	}
}

func previewKey(key string) string { return key + "/preview" }

// preview returns the address of the preview of a version. Without an id in the
// path, it uses the current version. The response has no address until the
// preview exists.
func (d *documents) preview(s *Server, c *call) (answer, error) {
	f, version, err := d.versionAsked(s, c, c.value("documentVersionId"))
	if err != nil {
		return nil, err
	}
	told := fields{"fileId": f.id, "documentVersionId": version.document(f)}
	if s.state.previews[version.key] {
		key := previewKey(version.key)
		if s.outside != nil {
			key = version.key
		}
		address, expiry, err := s.address(c.now, http.MethodGet, key, "")
		if err != nil {
			return nil, err
		}
		told["downloadUrl"], told["expiry"] = address, expiry
	}
	return s.object(c, told), nil
}
