package practice

import (
	"context"
	. "time"
)

func wait(ctx context.Context) {
	Sleep(Second)        // want `time.Sleep: wait for a timer and the context`
	<-After(Second)      // want `time.After is waited for alone: wait for a timer and the context`
	<-NewTimer(Second).C // want `time.Timer is waited for alone`
	for range 2 {
		<-(Tick(Second)) // want `time.Tick is waited for alone`
	}
	select {
	case <-After(Second): // want `time.After is waited for alone`
	}
	ticker := NewTicker(Second)
	select {
	case <-ctx.Done():
		<-ticker.C // want `time.Ticker is waited for alone`
	case <-ticker.C:
	case <-After(Second):
	}
}
