package practicetest_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/practicetest"
)

// TestAUserWhomABodyNamesIsOneOfTheFirm checks that creating one file and
// creating several follow the same rules.
func TestAUserWhomABodyNamesIsOneOfTheFirm(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithWriteDelay(0))
	user, d := call(t, s), documents(t, s)
	client, f := user.asClient(), s.Firm()
	for name, one := range map[string]struct {
		path, body string
		fileID     []any // path of the file's id in the response
		where      string
	}{
		"of one file":          {d.files(""), `{"fileName":"a.txt","userId":%q}`, []any{"fileId"}, "userId"},
		"of a file among many": {d.files("/bulk"), `[{"fileName":"a.txt","userId":%q}]`, []any{0, "fileId"}, "[0].userId"},
	} {
		ownerOf := func(a answer) string { return d.get(d.files("/" + a.want(202).text(one.fileID...))).text("ownerId") }
		for _, c := range []caller{user, client} {
			assert.Equal(t, one.where, c.do("POST", one.path, fmt.Sprintf(one.body, nobody)).want(400).text("errors", 0, "field"), name)
		}
		assert.Equal(t, f.NewcomerUserID, ownerOf(client.do("POST", one.path, fmt.Sprintf(one.body, f.NewcomerUserID))), name)

		var made answer
		found := s.Tolerate(func() { made = user.do("POST", one.path, fmt.Sprintf(one.body, f.NewcomerUserID)) })
		assert.Len(t, found, 1, name)
		assert.NotEqual(t, f.NewcomerUserID, ownerOf(made), name+": the user of the token counts")
	}
}
