package practice

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"syscall"
)

var verbose = flag.Bool("v", false, "") // want `flag.Bool: the library leaves the process and its environment alone`

func output(ctx context.Context, out io.Writer, logger *slog.Logger) error {
	fmt.Println("x")          // want `fmt.Println: the library prints nothing`
	show := fmt.Printf        // want `fmt.Printf: the library prints nothing`
	log.Print(show)           // want `log.Print: the library logs only to the logger that it was given`
	slog.InfoContext(ctx, "") // want `log/slog.InfoContext: the library logs only`
	slog.Default().Info("")   // want `log/slog.Default: the library logs only`
	logger.InfoContext(ctx, "")
	if os.Getenv("X") == "" { // want `os.Getenv: the library leaves`
		os.Exit(1) // want `os.Exit: the library leaves`
	}
	fmt.Fprintln(os.Stderr) // want `os.Stderr: the library leaves`
	if _, err := fmt.Fprintln(out, os.ErrExist); err != nil {
		return err
	}
	if _, err := os.Open("name"); err != nil {
		return err
	}
	if err := os.Rename("from", "to"); err != nil { // want `os.Rename: the library renames through an os.Root`
		return err
	}
	return syscall.ENOENT // want `syscall.ENOENT: the library leaves`
}
