package practice

import (
	. "fmt"
	join "path"
)

func dots(id string) string {
	_ = join.Join("/staff", id)     // want `a path is not made with Join`
	return Sprintf("/staff/%s", id) // want `a path is not made with fmt`
}
