package practice_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestAMemoHasEveryFieldExactly(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		m, err := client.Memos.Get(t.Context(), f.MatterID, f.MemoID)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/matters/"+f.MatterID+"/memos/"+f.MemoID, "")
		testkit.AssertRecord(t, testkit.WireTree(t, testkit.WireText(t, client, "/matters/{matterId}/memos/{id}", f.MatterID, f.MemoID)), map[string]any{
			"id": m.ID, "href": m.Href, "relation": m.Relation, "method": m.Method, "self": m.Self, "matterId": m.MatterID, "title": m.Title,
			"text": m.Text, "plainText": m.PlainText, "createdDate": m.CreatedDate, "createdByUserId": m.CreatedByUserID,
			"lastUpdated": m.LastUpdated, "updatedByUserId": m.UpdatedByUserID, "isDeleted": m.IsDeleted,
		})
		assert.Equal(t, `{\rtf1\ansi `+m.PlainText+`\par}`, m.Text)
	})
}

func TestAMemoIsWrittenReplacedAndDeleted(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		matter := server.Firm().MatterID
		made, err := client.Memos.Create(t.Context(), matter, models.MemoWrite{Title: "Call", Text: "Agrees.", UserID: server.Firm().UserID})
		require.NoError(t, err)
		assert.JSONEq(t, `{"title":"Call","text":"Agrees.","userId":"`+server.Firm().UserID+`"}`, string(testkit.LastSent(t, server).Body))
		_, err = client.Memos.Get(t.Context(), matter, made.ID)
		require.ErrorIs(t, err, practice.ErrNotFound, "the write takes effect later")
		server.Settle()
		memo, there := server.Memo(made.ID)
		require.True(t, there)
		assert.Equal(t, []string{"Call", "Agrees.", server.Firm().UserID}, []string{memo.Title, memo.PlainText, memo.CreatedByUserID})

		_, err = client.Memos.Update(t.Context(), matter, made.ID, models.MemoWrite{Title: "Second call", Text: "Disagrees."})
		require.NoError(t, err)
		server.Settle()
		all, err := practice.Collect(client.Memos.All(t.Context(), matter, practice.MemoListOptions{ListOptions: practice.ListOptions{Limit: 1}}))
		require.NoError(t, err)
		assert.Equal(t, "Second call", all[len(all)-1].Title)

		_, err = client.Memos.Delete(t.Context(), matter, made.ID)
		require.NoError(t, err)
		server.Settle()
		page, err := client.Memos.List(t.Context(), matter, practice.MemoListOptions{ListOptions: practice.ListOptions{Offset: len(all) - 1}})
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
		assert.True(t, page.Items[0].IsDeleted.Or(false))
	})
}
