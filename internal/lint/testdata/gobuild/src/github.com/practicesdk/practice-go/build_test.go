package practice

import (
	"context"
	"os/exec"
)

func builds(ctx context.Context, tool string) {
	_ = exec.Command("go", "build", "-o", tool, ".")                     // want `a program is built in a test: use -buildvcs=false`
	_ = exec.CommandContext(ctx, "/usr/local/go/bin/go", "install", ".") // want `a program is built in a test`
	_ = exec.CommandContext(ctx, "go", []string{"list", "./..."}...)     // want `a program is built in a test`
	run("go", "build", ".")                                              // want `a program is built in a test`
	_ = exec.Command("go", "build", "-buildvcs=false", "-o", tool, ".")
	_ = exec.Command("go", "run", "-race", ".")
	_ = exec.Command("go", "env", "GOROOT")
	_ = exec.Command(tool, "build", ".")
	_ = exec.Command("git", "list", "go")
}

func run(command string, arguments ...string) { _ = exec.Command(command, arguments...) }
