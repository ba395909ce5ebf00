package examples_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	_ "github.com/redis/go-redis/v9" // used by code blocks of the pages, but by no recipe

	_ "github.com/practicesdk/practice-go/adapters/redis" // so do they here
)

// known maps the packages that a block may use without importing them.
var known = map[string]string{
	"context": "context", "sql": "database/sql", "json": "encoding/json", "errors": "errors", "fmt": "fmt", "io": "io", "fs": "io/fs", "log": "log",
	"slog": "log/slog", "http": "net/http", "os": "os", "filepath": "path/filepath", "strings": "strings", "testing": "testing",
	"time": "time", "require": "github.com/stretchr/testify/require", "goredis": "github.com/redis/go-redis/v9",
	"practice": library, "mirror": library + "/mirror", "once": library + "/once", "oncesql": library + "/once/oncesql", "auth": library + "/auth", "authsql": library + "/auth/authsql", "models": library + "/models", "webhook": library + "/webhook", "subscribe": library + "/webhook/subscribe", "fetch": library + "/webhook/fetch", "webhooktest": library + "/webhook/webhooktest",
	"practicetest": library + "/practicetest", "requestid": library + "/requestid",
	"nats": library + "/adapters/nats", "redis": library + "/adapters/redis", "otel": library + "/adapters/otel", "attribute": "go.opentelemetry.io/otel/attribute",
}

// given declares the variables that a block may use without declaring them.
var given = map[string]string{
	"ctx": "context.Context", "t": "*testing.T", "client": "*practice.Client", "server": "*practicetest.Server",
	"receiver": "*webhook.Receiver", "tracker": "*webhook.Tracker", "db": "*sql.DB", "signer": "*requestid.Signer", "engine": "*nats.Engine",
	"redisClient": "goredis.UniversalClient", "member": "*models.StaffMember",
	"baseURL": "string", "tokenURL": "string", "apiKey": "string", "clientID": "string", "clientSecret": "string",
	"authURL": "string", "storedToken": "string", "tokenFile": "string", "positionFile": "string", "openBrowser": "func(string) error", "currentKey": "string", "previousKey": "string", "dir": "string", "key32": "[]byte",
	"accountID": "string", "userID": "string", "matterID": "string", "folderID": "string", "fileID": "string", "feeID": "string", "failedID": "string",
	"staffID": "string", "contactID": "string", "beginning": "time.Time", "lastMark": "time.Time",
	"refresh": "func(context.Context, string) error",
}

var (
	fence    = regexp.MustCompile("(?ms)^```go\n(.*?)^```$")
	dotted   = regexp.MustCompile(`\b([a-z][a-z0-9]*)\.[A-Z]`)
	declares = regexp.MustCompile(`(?m)^([\w, ]+) := `)
	word     = regexp.MustCompile(`\w+`)
)

// blocks returns the Go blocks of the pages in a directory, each as a package.
func blocks(dir string) ([]source, error) {
	pages, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil {
		return nil, err
	}
	var all []source
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			return nil, err
		}
		for _, match := range fence.FindAllSubmatchIndex(text, -1) {
			line := strings.Count(string(text[:match[2]]), "\n") + 1
			all = append(all, block(filepath.Base(page), line, string(text[match[2]:match[3]])))
		}
	}
	return all, nil
}

// block makes a package from a code block: its statements become a function,
// and the given names its parameters, except those that the block declares.
// A whole program is a package as it is. Errors contain the page and the line.
func block(page string, line int, text string) source {
	path, place := fmt.Sprintf("docs/%s/%d", page, line), fmt.Sprintf("%s:%d", page, line)
	if strings.Contains(text, "\npackage main\n") {
		return source{path: path, texts: map[string]string{place: text}}
	}
	var parameters []string
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !declared(text, name) {
			parameters = append(parameters, name+" "+given[name])
		}
	}
	header := "func _(" + strings.Join(parameters, ", ") + ") {\n"
	var b strings.Builder
	b.WriteString("package page\n\n")
	for _, name := range slices.Sorted(maps.Keys(known)) {
		if slices.ContainsFunc(dotted.FindAllStringSubmatch(header+text, -1), func(match []string) bool { return match[1] == name }) {
			fmt.Fprintf(&b, "import %s %q\n", name, known[name])
		}
	}
	b.WriteString("\ntype memo struct{ ID, Text string }\n")
	fmt.Fprintf(&b, "\n%s//line %s:%d\n%s}\n", header, page, line, text)
	return source{path: path, texts: map[string]string{place: b.String()}}
}

// declared reports whether a block declares and uses a name. If it only
// declares the name, because the text continues elsewhere, the name remains a
// parameter.
func declared(text, name string) bool {
	for _, match := range declares.FindAllStringSubmatch(text, -1) {
		if slices.Contains(word.FindAllString(match[1], -1), name) {
			return len(regexp.MustCompile(`\b`+name+`\b`).FindAllString(text, -1)) > 1
		}
	}
	return false
}
