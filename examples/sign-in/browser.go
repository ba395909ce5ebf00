package main

import (
	"os/exec"
	"runtime"
)

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
