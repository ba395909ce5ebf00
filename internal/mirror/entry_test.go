package mirror

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestWhatCountsAsEdited(t *testing.T) {
	t.Parallel()
	const at = int64(1_700_000_000 * time.Second)
	const ms = int64(time.Millisecond)
	for _, test := range []struct {
		rule   string
		noted  Entry
		local  Local
		edited bool
	}{
		{"nothing", Entry{Version: "v", Size: 5, ModTime: at + ms}, Local{Size: 5, ModTime: at + ms}, false},
		{"another size", Entry{Version: "v", Size: 5, ModTime: at + ms}, Local{Size: 6, ModTime: at + ms}, true},
		{"another time", Entry{Version: "v", Size: 5, ModTime: at + ms}, Local{Size: 5, ModTime: at + 2*ms}, true},
		{"an earlier time", Entry{Version: "v", Size: 5, ModTime: at + ms}, Local{Size: 5, ModTime: at - ms}, true},
		{"a time to come that stays", Entry{Version: "v", Size: 5, ModTime: 2 * at}, Local{Size: 5, ModTime: 2 * at}, false},
		{"a copy on a disk of whole seconds", Entry{Version: "v", Size: 5, ModTime: at + ms}, Local{Size: 5, ModTime: at}, false},
		{"a copy there that was edited later", Entry{Version: "v", Size: 5, ModTime: at + ms}, Local{Size: 5, ModTime: at + 1000*ms}, true},
		{"an edit within the second of the document", Entry{Version: "v", Size: 5, ModTime: at}, Local{Size: 5, ModTime: at + ms}, true},
		{"a time that was never noted", Entry{Version: "v", Size: 5}, Local{Size: 5, ModTime: at}, false},
		{"a file that was never noted", Entry{FileID: "f"}, Local{Size: 5, ModTime: at}, false},
	} {
		assert.Equal(t, test.edited, test.noted.Edited(test.local), test.rule)
	}
}
