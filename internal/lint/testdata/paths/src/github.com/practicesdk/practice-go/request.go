package practice

import (
	"fmt"
	"net/url"
	"path"
	"strconv"
	"strings"
)

const template = "/matters/%s/fees"

func formats(b *strings.Builder, id string, n int) error {
	_ = fmt.Sprintf("/staff/%s", id)                      // want `do not build a path with fmt: escape each value`
	_ = fmt.Sprintf(template, id)                         // want `do not build a path with fmt`
	_ = fmt.Sprintf("%s/fees", id)                        // want `do not build a path with fmt`
	_ = fmt.Sprintf("https://h.example.test?limit=%d", n) // want `do not build a path with fmt`
	fmt.Fprintf(b, "/events/%d?offset=%d", n, n)          // want `do not build a path with fmt`
	_ = fmt.Appendf(nil, "x&limit=%d", n)                 // want `do not build a path with fmt`
	format := fmt.Sprintf
	_ = format("/staff/%s", id) // want `do not build a path with fmt`
	_ = fmt.Sprintf("%d of %d, and/or %q: bytes %d/%d", n, n, id, n, n)
	return fmt.Errorf("%s/%s is not there", id, id)
}

func prints(b *strings.Builder, id string, n int) error {
	_ = fmt.Sprint("/staff/", id)                    // want `do not build a path with fmt`
	_ = fmt.Sprint("/events?user=", id, "&page=", n) // want `do not build a path with fmt`
	fmt.Fprint(b, id, "fees/", id)                   // want `do not build a path with fmt`
	show := fmt.Sprint
	_ = show("/staff/", id) // want `do not build a path with fmt`
	_ = fmt.Sprint("/events/", n)
	_ = fmt.Sprint("/staff/", url.PathEscape(id))
	_ = fmt.Sprint("read ", id, "/", id)
	return fmt.Errorf("%s/%s", id, id)
}

type identifier string

func sums[T ~string](base, id string, n int, key identifier, of T) {
	_ = "/staff/" + id               // want `do not build a path with \+: escape each value`
	_ = base + ("fees/" + id) + "/x" // want `do not build a path with \+`
	_ = base + "?user=" + id         // want `do not build a path with \+`
	_ = "/staff/" + string(key)      // want `do not build a path with \+`
	_ = "/staff/" + of               // want `do not build a path with \+`
	_ = "/staff/" + url.PathEscape(id)
	_ = "/staff/" + strconv.Itoa(n)
	_ = base + "?" + url.Values{"user": {id}}.Encode()
	_ = base + "/" + id // want `do not build a path with \+`
	_ = base + "/" + url.PathEscape(id)
	_ = "reads " + base + "/" + id
	_ = "application/" + id
	_ = "https://" + base
	_ = "/staff/" + "x"
	_ = "and/or " + id
}

func joins(u *url.URL, dir, id string) {
	_ = path.Join("/staff", id)           // want `do not build a path with Join`
	_ = u.JoinPath("staff", id)           // want `do not build a path with JoinPath`
	_, _ = url.JoinPath(dir, "staff", id) // want `do not build a path with JoinPath`
	_ = path.Join("staff", url.PathEscape(id))
	_ = path.Join(dir, id) // of a file system
	_ = append([]byte("/staff/"), id...)
	_ = strings.Join([]string{"staff", id}, ", ")
	parts := []string{"staff", id}
	_ = strings.Join([]string{"staff", id}, "/") // want `do not build a path with Join`
	_ = strings.Join(parts, "/")                 // want `do not build a path with Join`
	_ = strings.Join([]string{"staff", url.PathEscape(id)}, "/")
}

func additions(u *url.URL, path, id string, n int) {
	path += "/" + id              // want `do not build a path with \+: escape each value`
	path += "/fees/" + id         // want `do not build a path with \+`
	path += "fees/" + id + "/tax" // want `do not build a path with \+`
	path += "?user=" + id         // want `do not build a path with \+`
	u.RawPath += "/" + id         // want `do not build a path with \+`
	u.RawPath += "/" + url.PathEscape(id)
	u.Path += "/" + id // it is escaped when the address is written
	path += "/" + strconv.Itoa(n)
	path += "/" + url.PathEscape(id)
	path += "/fees"
	path += id
	path += ", " + id
	n += 1
}
