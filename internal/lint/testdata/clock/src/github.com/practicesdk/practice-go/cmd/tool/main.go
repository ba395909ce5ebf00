package main

import "time"

type program struct{ now func() time.Time }

func (p program) run() time.Time { return time.Now() }

func main() { program{}.run() }
