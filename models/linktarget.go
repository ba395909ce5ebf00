package models

import (
	"net/url"
	"path"
	"strings"
)

// TargetID identifies what the link leads to: its ID or, where the service
// sent an address only, the last segment of the address. It is empty when
// neither is there. Specification, Common shapes.
func (l Link) TargetID() string {
	if l.ID != "" || l.Href == "" {
		return l.ID
	}
	address, err := url.Parse(l.Href)
	if err != nil {
		return ""
	}
	id := path.Base(strings.TrimRight(address.Path, "/"))
	if id == "." || id == "/" {
		return ""
	}
	return id
}
