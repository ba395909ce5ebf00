// Houserules checks the house rules of the project, as a program or for go vet:
//
//	go vet -vettool=$(which houserules) ./...
package main

import (
	"golang.org/x/tools/go/analysis/multichecker"

	"github.com/practicesdk/practice-go/internal/lint"
)

func main() { multichecker.Main(lint.Analyzers()...) }
