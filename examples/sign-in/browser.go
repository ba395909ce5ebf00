package main

import (
	"os/exec"
	"runtime"
)

// openBrowser opens an address in the browser of the system.
func openBrowser(address string) error {
	switch runtime.GOOS {
	case "windows":
		return exec.Command("rundll32", "url.dll,FileProtocolHandler", address).Run() //nolint:noctx // it ends at once
	case "darwin":
		return exec.Command("open", address).Run() //nolint:noctx // it ends at once
	}
	return exec.Command("xdg-open", address).Run() //nolint:noctx // it ends at once
}
