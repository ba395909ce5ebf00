package webhook

import "time"

func atest(t *Tracker) bool { return time.Now().After(t.last) }
