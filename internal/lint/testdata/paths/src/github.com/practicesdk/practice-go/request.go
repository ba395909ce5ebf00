package practice

import (
	"fmt"
	"net/url"
	"strings"
)

const template = "/matters/%s/fees"

func paths(b *strings.Builder, id string, n int) error {
	_ = fmt.Sprintf("/staff/%s", id)                      // want `a path is not made with fmt: escape its values one by one`
	_ = fmt.Sprintf(template, id)                         // want `a path is not made with fmt`
	_ = fmt.Sprintf("%s/fees", id)                        // want `a path is not made with fmt`
	_ = fmt.Sprintf("https://h.example.test?limit=%d", n) // want `a path is not made with fmt`
	fmt.Fprintf(b, "/events/%d?offset=%d", n, n)          // want `a path is not made with fmt`
	_ = fmt.Appendf(nil, "x&limit=%d", n)                 // want `a path is not made with fmt`
	_ = "/staff/" + url.PathEscape(id)
	_ = fmt.Sprintf("%d of %d, and/or %q: bytes %d/%d", n, n, id, n, n)
	return fmt.Errorf("%s/%s is not there", id, id)
}
