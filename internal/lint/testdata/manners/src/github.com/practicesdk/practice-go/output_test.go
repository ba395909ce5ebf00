package practice

import "fmt"

func example() { fmt.Println() }

func debugging() { println() }
