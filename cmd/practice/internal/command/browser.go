package command

import (
	"os/exec"
	"runtime"
)

// openBrowser opens a URL in the default browser. It does not wait for the
// browser, which may run until the user closes it.
func openBrowser(address string) error {
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	case "darwin":
		name = "open"
	}
	browser := exec.Command(name, args...) //nolint:gosec,noctx // no shell reads the address, and it outlives the command
	if err := browser.Start(); err != nil {
		return err
	}
	return browser.Process.Release()
}
