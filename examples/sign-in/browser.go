package main

import (
	"fmt"
	"io"
	"os/exec"
	"runtime"
)

// offer shows an address before it is opened: where there is no browser, or one
// that shows nothing, the user opens it on this machine by hand.
func offer(stdout io.Writer, open func(address string) error) func(address string) error {
	return func(address string) error {
		if _, err := fmt.Fprintln(stdout, "Sign in here:", address); err != nil {
			return err
		}
		if err := open(address); err != nil {
			_, err = fmt.Fprintln(stdout, "No browser could be opened for that:", err)
			return err
		}
		return nil
	}
}

// openBrowser opens an address in the browser of the system.
func openBrowser(address string) error {
	switch runtime.GOOS {
	case "windows":
		return exec.Command("rundll32", "url.dll,FileProtocolHandler", address).Run() //nolint:gosec,noctx // it ends at once, and no shell reads the address
	case "darwin":
		return exec.Command("open", address).Run() //nolint:gosec,noctx // it ends at once, and no shell reads the address
	}
	return exec.Command("xdg-open", address).Run() //nolint:gosec,noctx // it ends at once, and no shell reads the address
}
