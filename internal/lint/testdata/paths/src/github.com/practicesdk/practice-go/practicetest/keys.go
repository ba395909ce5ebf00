package practicetest

import (
	"fmt"
	"strings"
)

func key(base, id string) string { return base + "?key=" + id }

func template(segments []string) string { return "/" + strings.Join(segments, "/") }

func address(id string) string { return fmt.Sprintf("/staff/%s", id) } // want `do not build a path with fmt`
