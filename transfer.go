package practice

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/practicesdk/practice-go/internal/storage"
	"github.com/practicesdk/practice-go/internal/transport"
)

// transfer is what the uploads and downloads of one file share.
type transfer struct {
	documents        *DocumentsService
	operation        string // name of the method, for errors
	matterID, fileID string
	opts             []CallOption // of the caller, for every call to the service
	settings         callSettings
	grace            context.Context // of the call that makes a file; nil for that of the transfer
}

func (t *transfer) retries() transport.Retries { return t.documents.client.retries(t.settings) }

func (t *transfer) target(a storageAddress) storage.Target {
	return storage.Target{Address: a.url.Reveal(), Idle: t.settings.idleTimeout}
}

// further prepares a call that follows the caller's own: it neither takes the
// caller's request id again nor fills the caller's Response.
func further(p *call) *call {
	p.settings.requestID, p.settings.response = "", nil
	return p
}

// fail is the error that a caller gets to see.
func (t *transfer) fail(cause error, attempts []Attempt) *TransferError {
	if done, ok := errors.AsType[*TransferError](cause); ok {
		return done
	}
	if errors.Is(cause, io.EOF) {
		cause = &brokenOffError{cause}
	}
	e := &TransferError{Operation: t.operation, FileID: t.fileID, Attempts: attempts, Err: cause}
	if status, ok := errors.AsType[*storage.StatusError](cause); ok {
		e.StatusCode, e.Code = status.Status, status.Code
	}
	if errors.Is(cause, storage.ErrAddress) || errors.Is(cause, storage.ErrRewritten) {
		e.Err = fmt.Errorf("%w: %w", ErrStorageAddress, cause)
	}
	return e
}

// allowedStorage refuses addresses that the settings of the client rule out.
func (s *settings) allowedStorage(u *url.URL) error {
	if !allowedScheme(u, s.insecureHTTP) {
		return fmt.Errorf("%w: it is not https", ErrStorageAddress)
	}
	if len(s.storageHosts) > 0 && !slices.ContainsFunc(s.storageHosts, func(host string) bool {
		return strings.EqualFold(host, u.Host) || strings.EqualFold(host, u.Hostname())
	}) {
		return fmt.Errorf("%w: its host is not one of WithStorageHosts", ErrStorageAddress)
	}
	return nil
}
