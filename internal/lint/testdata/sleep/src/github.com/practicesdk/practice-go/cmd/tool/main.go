package main

import "time"

func main() { f := time.Sleep; f(1) } // want `time.Sleep`
