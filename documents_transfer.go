package practice

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/practicesdk/practice-go/internal/transfer"
	"github.com/practicesdk/practice-go/models"
)

// fileTransfer is an upload or a download of one file: who asked for it, and how
// internal/transfer gets at the service.
type fileTransfer struct {
	documents        *DocumentsService
	operation        string // name of the method, for errors
	matterID, fileID string
	opts             []CallOption // of the caller, for every call to the service
}

// engine moves the bytes. Locate asks the service for a further address.
func (t *fileTransfer) engine(settings callSettings, locate func(context.Context) (transfer.Place, error)) transfer.Transfer {
	c := t.documents.client
	engine := transfer.Transfer{Storage: c.storage, Retries: c.retries(settings), Idle: settings.idleTimeout, Locate: locate}
	if c.observed() {
		engine.Watch = observeExchange
	}
	return engine
}

// failure is the error that a caller gets to see.
func (t *fileTransfer) failure(err error) error { return transferError(t.operation, t.fileID, err) }

// further prepares a call that follows the caller's own: it neither takes the
// caller's request id again nor fills the caller's Response.
func further(c *call) *call {
	c.settings.requestID, c.settings.response = "", nil
	c.settings.resourceID, c.settings.externalID = "", ""
	return c
}

// locateError is the failure of a further call for an address. A file that was
// made just now may not be found yet.
func locateError(err error, fresh bool) error {
	located := &transfer.LocateError{Err: err, Temporary: fresh && errors.Is(err, ErrNotFound)}
	if answer, ok := errors.AsType[*Error](err); ok {
		located.Status = answer.StatusCode
	}
	return located
}

// locate sends a call that answers with a storage address.
func locate[T any, P record[T]](c *call, placeOf func(*T) transfer.Place) (*T, transfer.Place, error) {
	wanted := c.settings.response
	var answered Response
	c.settings.response = &answered
	info, err := send[T, P](c)
	if wanted != nil {
		*wanted = answered
	}
	if err != nil {
		return nil, transfer.Place{}, err
	}
	place := placeOf(info)
	place.Skew = transfer.Skew(answered.Header)
	return info, place, nil
}

func uploadPlace(c *call) (*models.UploadInfo, transfer.Place, error) {
	return locate(c, func(i *models.UploadInfo) transfer.Place {
		return transfer.Place{Address: i.UploadURL, Expiry: i.Expiry.Time()}
	})
}

// downloadPlace is where the content of a file is, and the name of the file.
func downloadPlace(c *call) (string, transfer.Place, error) {
	info, place, err := locate(c, func(i *models.DownloadInfo) transfer.Place {
		return transfer.Place{Address: i.DownloadURL, Expiry: i.Expiry.Time(), Size: max(i.SizeBytes.Or(-1), -1)}
	})
	if err != nil {
		return "", place, err
	}
	return info.Name + info.FileExtension, place, nil
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
