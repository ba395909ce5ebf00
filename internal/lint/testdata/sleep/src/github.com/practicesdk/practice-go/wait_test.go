package practice

import "time"

func pause() { time.Sleep(1) } // want `time.Sleep`

func pass() { <-time.After(1) }
