package practice

import "time"

func wait() {
	time.Sleep(time.Second) // want `time.Sleep: wait for a timer and the context`
	<-time.After(time.Second)
}
