package lint

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// mannersAnalyzer checks how the library treats the importing program: it must
// not print, log unless asked, exit or read the environment, and it must
// replace files safely on every system.
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
					return // net/http accepts no other logger, and connection errors have no other names
				}
				if reason := rude(pkg, name); reason != "" {
					pass.Reportf(id.Pos(), "%s.%s: the library %s", pkg, name, reason)
				}
			})
			return nil, nil
		},
	}
}

// rude returns the reason for which the library must not use a name of the
// standard library, or "".
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

// besideTheSystem returns the packages that need more than package os offers:
// locks, sendfile, names of connection errors, and the identity of files.
func besideTheSystem() []string {
	return []string{"adapters/otel", "internal/filelock", "internal/partfile", "internal/storage", "mirror"}
}

func globalLoggers() []string {
	return []string{
		"Default", "SetDefault", "Debug", "DebugContext", "Info", "InfoContext", "Warn", "WarnContext", "Error", "ErrorContext",
		"Log", "LogAttrs", "With",
	}
}

// besidesFiles returns the names of package os that do not concern files.
// CreateTemp is not among them, although it reads the environment if the caller
// names no directory.
func besidesFiles() []string {
	return []string{
		"Getenv", "LookupEnv", "Environ", "ExpandEnv", "Setenv", "Unsetenv", "Clearenv", "Exit", "Args", "Stdin", "Stdout", "Stderr",
		"Getwd", "Chdir", "UserHomeDir", "UserCacheDir", "UserConfigDir", "Hostname", "StartProcess", "FindProcess",
	}
}
