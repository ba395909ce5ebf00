package records

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"path"
)

// sampleOf returns the recorded complete response of an operation, without
// white space, or nil if there is none. For a list it returns the first record,
// unless whole is set.
func sampleOf(repository fs.FS, id string, whole bool) ([]byte, error) {
	for _, folder := range []string{"api/samples/responses", "models/testdata/responses"} {
		text, err := fs.ReadFile(repository, path.Join(folder, id+".full.json"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var compact bytes.Buffer
		if err == nil {
			err = json.Compact(&compact, text)
		}
		if err != nil || whole {
			return compact.Bytes(), err
		}
		return first(compact.Bytes())
	}
	return nil, nil
}

// first returns the first record of a list or a page.
func first(text []byte) ([]byte, error) {
	var list []json.RawMessage
	if text[0] == '{' {
		var page struct {
			Value *[]json.RawMessage `json:"value"`
		}
		page.Value = &list
		if err := json.Unmarshal(text, &page); err != nil {
			return nil, err
		}
	} else if err := json.Unmarshal(text, &list); err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, errors.New("the recorded list is empty")
	}
	return list[0], nil
}
