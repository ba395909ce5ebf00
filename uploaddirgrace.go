package practice

import (
	"context"
	"time"

	"github.com/practicesdk/practice-go/internal/pause"
)

// UploadDirGrace is how long UploadDir stays at most when its context has ended: until
// the service has answered what it was asked to make, and lists it.
const UploadDirGrace = 3 * time.Second

// withGrace gives a context that ends UploadDirGrace after another one.
func withGrace(ctx context.Context) (grace context.Context, end func()) {
	grace, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		if pause.Sleep(grace, UploadDirGrace) == nil {
			cancel(context.Cause(ctx))
		}
	})
	return grace, func() {
		stop()
		cancel(nil)
	}
}
