package report

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
)

// Document writes all tables with the data needed to repeat them: the command,
// the commit, the toolchain, the kind of machine and the versions of the peers. Peers that
// only generate code are not part of the build, so their versions are taken
// from goMod, the text of the module file.
func Document(w io.Writer, command, commit, goMod string, peers []string, tables []Table) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Results\n\nWritten by `%s` with %s, %s/%s, %d CPUs.\nMeasured at commit %s.\n"+
		"Only ratios within one run mean something: the contestants took turns, and each ratio is the median of the ratios of the rounds, "+
		"with its quartiles.\n\n", command, runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), commit)
	glance(&b, tables)
	b.WriteString("\nPeers:\n\n")
	versions := moduleVersions(goMod)
	for _, peer := range peers {
		fmt.Fprintf(&b, "- %s %s\n", peer, versions[peer])
	}
	b.WriteByte('\n')
	for _, table := range tables {
		if err := table.Write(&b); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, strings.TrimRight(b.String(), "\n")+"\n")
	return err
}

// glance writes the figures of all tables as a summary.
func glance(b *strings.Builder, tables []Table) {
	var rows [][]string
	for _, table := range tables {
		for _, figure := range table.Figures {
			rows = append(rows, append([]string{table.Title}, figure.row()...))
		}
	}
	grid(b, []string{"table", "figure", "required", "this run", ""}, rows)
}

func moduleVersions(goMod string) map[string]string {
	versions := map[string]string{}
	for line := range strings.Lines(goMod) {
		words := strings.Fields(strings.TrimPrefix(line, "require "))
		if len(words) >= 2 && strings.HasPrefix(words[1], "v") {
			versions[words[0]] = words[1]
		}
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			versions[dep.Path] = dep.Version
		}
	}
	return versions
}
