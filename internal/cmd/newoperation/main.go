// Command newoperation prints what is to be written by hand when the client offers one more operation: a descriptor and
// a method, options when there are filters, a row of the registry, a test and a handler of the embedded service. The
// text is a beginning, to be edited.
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
	if err := run(os.Stdout, os.DirFS("api"), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "newoperation:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, api fs.FS, arguments []string) error {
	if len(arguments) != 1 {
		return errors.New("which operation? Give its id, for example listActivityCodes")
	}
	document, err := description.Load(api)
	if err != nil {
		return err
	}
	operation := document.Operation(arguments[0])
	switch {
	case operation == nil:
		return fmt.Errorf("the description has no operation %q", arguments[0])
	case !operation.Planned:
		return fmt.Errorf("%s is offered already, as %s.%s", operation.ID, operation.Area.Name, operation.Method)
	case operation.Unusable:
		return fmt.Errorf("%s cannot be offered: its path has lost its prefix", operation.ID)
	}
	return newSketch(document, operation).print(w)
}
