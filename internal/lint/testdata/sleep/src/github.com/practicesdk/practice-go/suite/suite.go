package suite

import (
	"testing"
	"time"
)

func Test(*testing.T) { <-time.After(1) }
