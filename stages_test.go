package practice_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestAMatterIsAtAStageOfASet(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		m, err := client.Stages.GetMatterStage(t.Context(), f.MatterID)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/matters/"+f.MatterID+"/stages", "")
		testkit.AssertRecord(t, testkit.WireTree(t, testkit.WireText(t, client, "/matters/{matterId}/stages", f.MatterID)), map[string]any{
			"id": m.ID, "href": m.Href, "relation": m.Relation, "method": m.Method, "self": m.Self, "versionId": m.VersionID,
			"matter": m.Matter, "stageSet": m.StageSet, "stage": m.Stage, "lastUpdated": m.LastUpdated,
		})
		assert.Equal(t, []string{f.StageID, f.StageID, f.StageSetID, f.MatterID}, []string{m.ID, m.Stage.ID, m.StageSet.ID, m.Matter.ID})

		set, err := client.Stages.GetSet(t.Context(), m.StageSet.ID)
		require.NoError(t, err)
		testkit.AssertRecord(t, testkit.WireTree(t, testkit.WireText(t, client, "/stagesets/{id}", set.ID)), map[string]any{
			"id": set.ID, "href": set.Href, "relation": set.Relation, "method": set.Method, "self": set.Self, "versionId": set.VersionID,
			"name": set.Name, "isDeleted": set.IsDeleted, "stages": set.Stages, "lastUpdated": set.LastUpdated,
		})
		assert.Contains(t, set.Stages, m.Stage)

		stage, err := client.Stages.Get(t.Context(), set.ID, m.Stage.ID)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/stagesets/"+set.ID+"/stages/"+m.Stage.ID, "")
		assert.Equal(t, m.Stage, *stage)
		testkit.AssertRecord(t, testkit.WireTree(t, testkit.WireText(t, client, "/stagesets/{stageSetId}/stages/{id}", set.ID, stage.ID)), map[string]any{
			"id": stage.ID, "href": stage.Href, "relation": stage.Relation, "method": stage.Method, "self": stage.Self,
			"versionId": stage.VersionID, "name": stage.Name, "isDeleted": stage.IsDeleted, "lastUpdated": stage.LastUpdated,
		})
	})
}

func TestStagesOfMattersAndStageSetsAreListedByChange(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		reached, err := practice.Collect(client.Stages.AllMatterStages(t.Context(), practice.StageListOptions{ListOptions: practice.ListOptions{Limit: 2}}))
		require.NoError(t, err)
		var matters []string
		for _, m := range reached {
			matters = append(matters, m.Matter.ID)
		}
		assert.Equal(t, server.Firm().MatterIDs, matters, "each matter once, in the order of the matters")
		sets, err := practice.Collect(client.Stages.AllSets(t.Context(), practice.StageListOptions{ListOptions: practice.ListOptions{Limit: 2}}))
		require.NoError(t, err)
		assert.Len(t, sets, 3)

		since := server.Clock().Now().Add(time.Second)
		ticks, err := models.TicksOf(since)
		require.NoError(t, err)
		query := "Limit=2&UpdatedSince=" + strconv.FormatInt(int64(ticks), 10)
		later := practice.StageListOptions{ListOptions: practice.ListOptions{Limit: 2}, UpdatedSince: since}
		page, err := client.Stages.ListMatterStages(t.Context(), later)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/stages", query)
		assert.Empty(t, page.Items)
		moved := server.Firm().MatterIDs[2]
		server.Clock().Advance(2 * time.Second)
		server.SetMatterStage(moved, sets[1].Stages[3].ID)
		page, err = client.Stages.ListMatterStages(t.Context(), later)
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
		assert.Equal(t, moved, page.Items[0].Matter.ID)
		assert.Equal(t, sets[1].Stages[3].ID, page.Items[0].ID)
		assert.Equal(t, sets[1].ID, page.Items[0].StageSet.ID)
		reached, err = practice.Collect(client.Stages.AllMatterStages(t.Context(), practice.StageListOptions{}))
		require.NoError(t, err)
		assert.Equal(t, moved, reached[2].Matter.ID, "its place stays")

		none, err := client.Stages.ListSets(t.Context(), later)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/stagesets", query)
		assert.Empty(t, none.Items)
	})
}

func TestASetTakesStagesOfATest(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		id := server.AddStageSet(models.StageSet{Name: "Migration", Stages: []models.Stage{{Name: "Application"}, {Name: "Decision"}}})
		set, err := client.Stages.GetSet(t.Context(), id)
		require.NoError(t, err)
		require.Len(t, set.Stages, 2)
		server.SetMatterStage(server.Firm().MatterIDs[1], set.Stages[1].ID)
		reached, at := server.MatterStage(server.Firm().MatterIDs[1])
		require.True(t, at)
		assert.Equal(t, "Decision", reached.Stage.Name)
	})
}

func TestAMatterWithoutAStage(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	_, err := server.Client(t).Stages.GetMatterStage(t.Context(), server.Firm().MatterIDs[4])
	require.ErrorIs(t, err, practice.ErrNotFound)
}
