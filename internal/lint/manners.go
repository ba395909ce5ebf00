package lint

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// mannersAnalyzer holds what a program that imports the library relies on: it
// neither prints, nor logs unasked, nor ends the program, nor reads its
// environment, and it replaces files on every system.
func mannersAnalyzer() *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: "manners",
		Doc:  "the library has no output, ends no program and reads no environment",
		Run: func(pass *analysis.Pass) (any, error) {
			if !isLibrary(pass) {
				return nil, nil
			}
			forEach(pass, func(node ast.Node, _ []ast.Node) {
				id, ok := node.(*ast.Ident)
				if !ok {
					return
				}
				if builtin, ok := pass.TypesInfo.Uses[id].(*types.Builtin); ok && strings.HasPrefix(builtin.Name(), "print") {
					pass.Reportf(id.Pos(), "%s: the library prints nothing", builtin.Name())
				}
				pkg, name := usedFrom(pass, id)
				if pkg == "log" && isService(pass) || pkg == "syscall" && (isService(pass) || slices.Contains(besideTheSystem(), part(pass))) {
					return // net/http takes no other logger, errors of connections no other names
				}
				if reason := rude(pkg, name); reason != "" {
					pass.Reportf(id.Pos(), "%s.%s: the library %s", pkg, name, reason)
				}
			})
			return nil, nil
		},
	}
}

// rude returns the fault of a name of the standard library that is not the
// library's business, or nothing.
func rude(pkg, name string) string {
	switch {
	case pkg == "fmt" && strings.HasPrefix(name, "Print"):
		return "prints nothing"
	case pkg == "log", pkg == "log/slog" && slices.Contains(globalLoggers(), name):
		return "logs only to the logger that it was given"
	case pkg == "flag", pkg == "syscall", pkg == "os" && slices.Contains(besidesFiles(), name):
		return "leaves the process and its environment alone"
	case pkg == "os" && name == "Rename":
		return "renames through an os.Root: on Windows nobody else can while the file is open"
	}
	return ""
}

// besideTheSystem returns the parts that need what package os does not give:
// locks, files that the system sends by itself, names of what fails in a
// connection, and what tells files apart.
func besideTheSystem() []string {
	return []string{"adapters/otel", "internal/filelock", "internal/partfile", "internal/storage", "mirror"}
}

func globalLoggers() []string {
	return []string{
		"Default", "SetDefault", "Debug", "DebugContext", "Info", "InfoContext", "Warn", "WarnContext", "Error", "ErrorContext",
		"Log", "LogAttrs", "With",
	}
}

// besidesFiles returns the names of package os that have nothing to do with
// files. CreateTemp is none of them, and asks the environment for a folder
// where its caller names none.
func besidesFiles() []string {
	return []string{
		"Getenv", "LookupEnv", "Environ", "ExpandEnv", "Setenv", "Unsetenv", "Clearenv", "Exit", "Args", "Stdin", "Stdout", "Stderr",
		"Getwd", "Chdir", "UserHomeDir", "UserCacheDir", "UserConfigDir", "Hostname", "StartProcess", "FindProcess",
	}
}
