package description

import (
	"fmt"
	"io/fs"
	"strings"
)

// Uncovered returns the members, such as Fee.rate, that no sample contains or
// that the embedded service never returns, each with the reason. It reads
// samples/uncovered.txt in the directory of the description.
func Uncovered(api fs.FS) (map[string]string, error) {
	text, err := fs.ReadFile(api, "samples/uncovered.txt")
	if err != nil {
		return nil, err
	}
	members := map[string]string{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, reason, found := strings.Cut(line, ": ")
		if !found {
			return nil, fmt.Errorf("samples/uncovered.txt: %q: expected a member, a colon and the reason", line)
		}
		members[name] = reason
	}
	return members, nil
}
