package practice

import (
	"context"
	"net/http"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	mattersGetArchive                 = operation{"Matters.GetArchive", http.MethodGet, "/matters/{matterId}/archive", transport.Read}
	mattersUpdateArchive              = operation{"Matters.UpdateArchive", http.MethodPut, "/matters/{matterId}/archive", transport.IdempotentWrite}
	mattersPatchArchive               = operation{"Matters.PatchArchive", http.MethodPatch, "/matters/{matterId}/archive", transport.IdempotentWrite}
	mattersGetBillingConfiguration    = operation{"Matters.GetBillingConfiguration", http.MethodGet, "/matters/{matterId}/billingconfiguration", transport.Read}
	mattersUpdateBillingConfiguration = operation{"Matters.UpdateBillingConfiguration", http.MethodPut, "/matters/{matterId}/billingconfiguration", transport.IdempotentWrite}
	mattersPatchBillingConfiguration  = operation{"Matters.PatchBillingConfiguration", http.MethodPatch, "/matters/{matterId}/billingconfiguration", transport.IdempotentWrite}
)

// GetArchive returns the archive details of a matter: where its papers are
// kept.
//   - API: GET /matters/{matterId}/archive
func (s *MattersService) GetArchive(ctx context.Context, matterID string, opts ...CallOption) (*models.MatterArchive, error) {
	return send[models.MatterArchive](s.client.call(ctx, mattersGetArchive, opts).at(matterID))
}

// UpdateArchive replaces the archive details of a matter: the service clears
// what the body leaves out.
//   - API: PUT /matters/{matterId}/archive, asynchronous
func (s *MattersService) UpdateArchive(ctx context.Context, matterID string, archive models.MatterArchiveWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, mattersUpdateArchive, opts).at(matterID).with(&archive))
}

// PatchArchive changes the archive details that the body sets.
//   - API: PATCH /matters/{matterId}/archive, asynchronous
func (s *MattersService) PatchArchive(ctx context.Context, matterID string, patch models.MatterArchivePatch, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, mattersPatchArchive, opts).at(matterID).with(&patch))
}

// GetBillingConfiguration returns how a matter is billed.
//   - API: GET /matters/{matterId}/billingconfiguration
func (s *MattersService) GetBillingConfiguration(ctx context.Context, matterID string, opts ...CallOption) (*models.BillingConfiguration, error) {
	return send[models.BillingConfiguration](s.client.call(ctx, mattersGetBillingConfiguration, opts).at(matterID))
}

// UpdateBillingConfiguration replaces the billing configuration of a matter,
// with its debtors. The service clears members that the body leaves out.
//   - API: PUT /matters/{matterId}/billingconfiguration, asynchronous
func (s *MattersService) UpdateBillingConfiguration(ctx context.Context, matterID string, configuration models.BillingConfigurationWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, mattersUpdateBillingConfiguration, opts).at(matterID).with(&configuration))
}

// PatchBillingConfiguration changes those details of how a matter is billed
// that the body sets. The debtors are the whole list.
//   - API: PATCH /matters/{matterId}/billingconfiguration, asynchronous
func (s *MattersService) PatchBillingConfiguration(ctx context.Context, matterID string, patch models.BillingConfigurationPatch, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, mattersPatchBillingConfiguration, opts).at(matterID).with(&patch))
}

// ModifyArchive reads the archive details of a matter, calls change with a body
// that would leave it unchanged, and sends the changed body. It returns a
// *ModifyError if the write could lose data. PatchArchive sends only what
// changes.
//   - API: PUT /matters/{matterId}/archive, asynchronous
func (s *MattersService) ModifyArchive(ctx context.Context, matterID string, change func(*models.MatterArchiveWrite) error, opts ...CallOption) (*models.Link, error) {
	return modify(ctx, modification[models.MatterArchiveWrite, models.Link]{
		s.client, "Matters.ModifyArchive", "Matters.PatchArchive", oneID(s.GetArchive, matterID), ontoID(s.UpdateArchive, matterID), opts,
	}, change)
}

// ModifyBillingConfiguration reads how a matter is billed, calls change with a
// body that would leave it unchanged, and sends the changed body. It returns a
// *ModifyError if the write could lose data. PatchBillingConfiguration sends
// only what changes.
//   - API: PUT /matters/{matterId}/billingconfiguration, asynchronous
func (s *MattersService) ModifyBillingConfiguration(ctx context.Context, matterID string, change func(*models.BillingConfigurationWrite) error, opts ...CallOption) (*models.Link, error) {
	return modify(ctx, modification[models.BillingConfigurationWrite, models.Link]{
		s.client, "Matters.ModifyBillingConfiguration", "Matters.PatchBillingConfiguration", oneID(s.GetBillingConfiguration, matterID), ontoID(s.UpdateBillingConfiguration, matterID), opts,
	}, change)
}
