// Command newoperation prints the code to be written by hand when the client
// offers an operation: descriptor and methods with their comments, options for
// filters, a row of the registry, a test, and code for the embedded service. It
// prints the same for an operation that is already offered. Each part names the
// file to paste it into and the imports that it needs.
//
//	go run ./internal/cmd/newoperation listActivityCodes
package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/practicesdk/practice-go/internal/description"
)

func main() {
	if err := run(os.Stdout, os.DirFS("."), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "newoperation:", err)
		os.Exit(1)
	}
}

// run prints the parts of an operation. root is the module.
func run(w io.Writer, root fs.FS, arguments []string) error {
	if len(arguments) != 1 {
		return errors.New("which operation? Give its id, for example listActivityCodes")
	}
	api, err := fs.Sub(root, "api")
	if err != nil {
		return err
	}
	document, err := description.Load(api)
	if err != nil {
		return err
	}
	operation := document.Operation(arguments[0])
	switch {
	case operation == nil:
		return fmt.Errorf("the description has no operation %q", arguments[0])
	case operation.Unusable:
		return fmt.Errorf("%s cannot be offered: its path has lost its prefix", operation.ID)
	}
	service, err := readEmbedded(root)
	if err != nil {
		return err
	}
	return newSketch(document, service, operation).print(w)
}
