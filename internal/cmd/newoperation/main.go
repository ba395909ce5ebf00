// Command newoperation prints the code to be written by hand when the client
// offers an operation: descriptor and methods with their comments, options for
// filters, a row of the registry, a test, and code for the embedded service. It
// prints the same for an operation that is already offered. Each part names the
// file to paste it into and the imports that it needs.
//
//	go run ./internal/cmd/newoperation listActivityCodes
//
// With -check it prints every file that still lacks the operation, and what to
// do there.
//
//	go run ./internal/cmd/newoperation -check listActivityCodes
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
	checks := len(arguments) > 0 && arguments[0] == "-check"
	if checks {
		arguments = arguments[1:]
	}
	if len(arguments) != 1 {
		return errors.New("the id of an operation is required, such as listActivityCodes")
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
	if operation == nil {
		return fmt.Errorf("the API description does not contain the operation %q", arguments[0])
	}
	if checks {
		return check(w, root, document, operation)
	}
	service, err := readEmbedded(root)
	if err != nil {
		return err
	}
	return newSketch(document, service, operation).print(w)
}
