package practice

import (
	"net/http"
	"time"

	"github.com/practicesdk/practice-go/models"
)

// storageAddress is a pre-signed address and the time it is good for. The zero
// value is none.
type storageAddress struct {
	url    models.Secret
	expiry time.Time     // zero when the service does not say it
	skew   time.Duration // of the service's clock against the local one
}

// validityMargin is what an exchange needs to begin: the Date header has whole
// seconds, and the request is some time on its way.
const validityMargin = 2 * time.Second

// good reports whether an exchange can begin now. The clock that counts is
// that of the service.
func (a storageAddress) good() bool {
	if a.url.IsZero() {
		return false
	}
	return a.expiry.IsZero() || time.Now().Add(a.skew+validityMargin).Before(a.expiry)
}

func newStorageAddress(url models.Secret, expiry models.DateTime, answer http.Header) storageAddress {
	a := storageAddress{url: url, expiry: expiry.Time()}
	if date, err := http.ParseTime(answer.Get("Date")); err == nil {
		a.skew = time.Until(date)
	}
	return a
}

// address sends a call that answers with a storage address.
func address[T any, P record[T]](p *call, of func(*T) (models.Secret, models.DateTime)) (*T, storageAddress, error) {
	wanted := p.settings.response
	var answered Response
	p.settings.response = &answered
	info, err := send[T, P](p)
	if wanted != nil {
		*wanted = answered
	}
	if err != nil {
		return nil, storageAddress{}, err
	}
	url, expiry := of(info)
	return info, newStorageAddress(url, expiry, answered.Header), nil
}

func uploadAddress(p *call) (*models.UploadInfo, storageAddress, error) {
	return address(p, func(i *models.UploadInfo) (models.Secret, models.DateTime) { return i.UploadURL, i.Expiry })
}

func downloadAddress(p *call) (*models.DownloadInfo, storageAddress, error) {
	return address(p, func(i *models.DownloadInfo) (models.Secret, models.DateTime) { return i.DownloadURL, i.Expiry })
}
