package models

import "strings"

// TargetID returns the id of the target: the link's ID or, if the service sent
// only a URL, the last segment of its path. It returns "" if there is neither,
// and for nil, which a failed create returns.
func (l *Link) TargetID() string {
	if l == nil {
		return ""
	}
	if l.ID != "" {
		return l.ID
	}
	path := l.Href
	if end := strings.IndexAny(path, "?#"); end >= 0 {
		path = path[:end]
	}
	if _, rest, absolute := strings.Cut(path, "://"); absolute {
		_, path, _ = strings.Cut(rest, "/")
	}
	path = strings.TrimRight(path, "/")
	return path[strings.LastIndexByte(path, '/')+1:]
}
