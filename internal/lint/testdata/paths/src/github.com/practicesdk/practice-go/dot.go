package practice

import (
	. "fmt"
	join "path"
)

func dots(id string) string {
	_ = join.Join("/staff", id)     // want `do not build a path with Join`
	return Sprintf("/staff/%s", id) // want `do not build a path with fmt`
}
