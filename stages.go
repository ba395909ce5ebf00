package practice

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	stagesGetMatterStage = operation{"Stages.GetMatterStage", http.MethodGet, "/matters/{matterId}/stages", transport.Read}
	stagesGetSet         = operation{"Stages.GetSet", http.MethodGet, "/stagesets/{id}", transport.Read}
	stagesGet            = operation{"Stages.Get", http.MethodGet, "/stagesets/{stageSetId}/stages/{id}", transport.Read}
)

// stagesListMatterStages keys records by matter id, since matters can share a
// stage.
func stagesListMatterStages() *list[models.MatterStage] {
	return paged("Stages.ListMatterStages", "Stages.AllMatterStages", "/stages", func(m *models.MatterStage) string { return m.Matter.ID + m.Matter.Href })
}

func stagesListSets() *list[models.StageSet] {
	return paged("Stages.ListSets", "Stages.AllSets", "/stagesets", func(s *models.StageSet) string { return s.ID })
}

// StagesService reads the stages that matters go through. Stages form sets; a
// matter is at one stage at most.
//   - https://github.com/practicesdk/practice-go/blob/main/docs/reference/stages.md
type StagesService service

// StageListOptions narrow a list of stage sets or of the stages of matters. The
// zero value lists all.
type StageListOptions struct {
	ListOptions
	// UpdatedSince lists records changed at or after a time, to 100 ns.
	UpdatedSince time.Time
}

func (o StageListOptions) filter(c *call) { c.time(KindTicks, "UpdatedSince", o.UpdatedSince) }

// ListMatterStages returns one page of the stages that matters have reached.
//   - API: GET /stages
func (s *StagesService) ListMatterStages(ctx context.Context, options StageListOptions, opts ...CallOption) (*Page[models.MatterStage], error) {
	return stagesListMatterStages().page(ctx, s.client, options, opts)
}

// AllMatterStages yields all the stages that matters have reached. It reads
// Limit records per page from Offset.
//   - API: GET /stages
func (s *StagesService) AllMatterStages(ctx context.Context, options StageListOptions, opts ...CallOption) iter.Seq2[models.MatterStage, error] {
	return stagesListMatterStages().walk(ctx, s.client, options, opts)
}

// GetMatterStage returns the stage that a matter has reached. A matter without
// a stage is [ErrNotFound].
//   - API: GET /matters/{matterId}/stages
func (s *StagesService) GetMatterStage(ctx context.Context, matterID string, opts ...CallOption) (*models.MatterStage, error) {
	return send[models.MatterStage](s.client.call(ctx, stagesGetMatterStage, opts).at(matterID))
}

// ListSets returns one page of stage sets with their stages.
//   - API: GET /stagesets
func (s *StagesService) ListSets(ctx context.Context, options StageListOptions, opts ...CallOption) (*Page[models.StageSet], error) {
	return stagesListSets().page(ctx, s.client, options, opts)
}

// AllSets yields all stage sets with their stages. It reads Limit records per
// page from Offset.
//   - API: GET /stagesets
func (s *StagesService) AllSets(ctx context.Context, options StageListOptions, opts ...CallOption) iter.Seq2[models.StageSet, error] {
	return stagesListSets().walk(ctx, s.client, options, opts)
}

// GetSet returns a stage set with its stages.
//   - API: GET /stagesets/{id}
func (s *StagesService) GetSet(ctx context.Context, id string, opts ...CallOption) (*models.StageSet, error) {
	return send[models.StageSet](s.client.call(ctx, stagesGetSet, opts).at(id))
}

// Get returns a stage of a stage set.
//   - API: GET /stagesets/{stageSetId}/stages/{id}
func (s *StagesService) Get(ctx context.Context, stageSetID, id string, opts ...CallOption) (*models.Stage, error) {
	return send[models.Stage](s.client.call(ctx, stagesGet, opts).at(stageSetID, id))
}
