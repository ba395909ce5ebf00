package report

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
)

// Document writes all tables with the data needed to repeat them: the command,
// the commit, the toolchain, the kind of machine and the versions of the peers. Peers that
// only generate code are not part of the build, so their versions are taken
// from goMod, the text of the module file. Figures of an earlier document are
// shown beside those of this run; nil means that there is none.
func Document(w io.Writer, command, commit, goMod string, peers []string, tables []Table, before Earlier) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Results\n\nWritten by `%s` with %s, %s/%s, %d CPUs.\nMeasured at commit %s.\n"+
		"Only ratios within one run mean something: the contestants took turns, and each ratio is the median of the ratios of the rounds, "+
		"with its quartiles.\n\n", command, runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), commit)
	glance(&b, tables, before)
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
func glance(b *strings.Builder, tables []Table, before Earlier) {
	header := []string{"table", "figure", "required", "this run", ""}
	if before != nil {
		header = slices.Insert(header, 3, "before")
	}
	var rows [][]string
	for _, table := range tables {
		for _, figure := range table.Figures {
			row := append([]string{table.Title}, figure.row()...)
			if before != nil {
				row = slices.Insert(row, 3, before[[2]string{table.Title, figure.Name}])
			}
			rows = append(rows, row)
		}
	}
	grid(b, header, rows)
}

// Earlier holds the figures of an earlier document, by table and name of the
// figure.
type Earlier map[[2]string]string

// ReadEarlier reads the figures of a document that Document wrote.
func ReadEarlier(document string) Earlier {
	before, at := Earlier{}, -1
	for line := range strings.Lines(document) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case len(cells) < 5:
			if at >= 0 {
				return before // the figures are before the tables
			}
		case at < 0:
			at = slices.Index(cells, "this run")
		case strings.Trim(cells[0], "-") != "":
			before[[2]string{cells[0], cells[1]}] = cells[at]
		}
	}
	return before
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
