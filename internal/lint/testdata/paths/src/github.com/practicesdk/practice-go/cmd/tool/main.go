package main

import "fmt"

func main() { fmt.Printf("%s/%s\n", "a", fmt.Sprintf("/%d", 1)) }
