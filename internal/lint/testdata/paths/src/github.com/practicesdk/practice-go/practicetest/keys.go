package practicetest

import "fmt"

func key(base, id string) string { return base + "?key=" + id }

func address(id string) string { return fmt.Sprintf("/staff/%s", id) } // want `a path is not made with fmt`
