package rows

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/models"
)

// Sent is what a row sends, in a form that is the same however the list was
// saved: 385.50 is 385.5, and ids have no capital letters.
type Sent struct {
	Address string // method, path and query
	Body    any    // decoded JSON; nil for none
}

// SentBy returns what a request sends.
func SentBy(method string, target *url.URL, body []byte) (Sent, error) {
	segments := strings.Split(target.Path, "/")
	for i, segment := range segments {
		segments[i] = plainText(segment)
	}
	sent := Sent{Address: method + " " + strings.Join(segments, "/") + "?" + target.Query().Encode()}
	if len(body) == 0 {
		return sent, nil
	}
	value, err := Decode(body)
	sent.Body = plain(value)
	return sent, err
}

// Content returns a short text that is the same for what is the same.
func (s Sent) Content() string { return digest(s.Address, s.Body) }

// Place returns a short text that is the same for the same address.
func (s Sent) Place() string { return digest(s.Address, nil) }

// digest returns a text of 22 characters for values.
func digest(values ...any) string {
	text, _ := json.Marshal(values) // decoded JSON and texts
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}

// Decode decodes JSON, and keeps the digits of numbers.
func Decode(text []byte) (value any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	err = decoder.Decode(&value)
	return value, err
}

// plain returns a decoded value in the one form of all that mean the same.
func plain(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name := range value {
			value[name] = plain(value[name])
		}
	case []any:
		for i := range value {
			value[i] = plain(value[i])
		}
	case json.Number:
		return json.Number(plainNumber(value.String()))
	case string:
		return plainText(value)
	}
	return value
}

func plainNumber(text string) string {
	if amount, err := models.ParseDecimal(text); err == nil {
		text = amount.String()
	}
	if strings.Contains(text, ".") && !strings.ContainsAny(text, "eE") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	if text == "-0" {
		return "0"
	}
	return text
}

// uuid matches ids, whose case means nothing.
var uuid = regexp.MustCompile(`^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`)

func plainText(text string) string {
	if uuid.MatchString(text) {
		return strings.ToLower(text)
	}
	if at, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return at.UTC().Format(time.RFC3339Nano)
	}
	return text
}

// MemberAt returns the member at a path such as person.lastName, or nil.
func MemberAt(value any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		object, _ := value.(map[string]any)
		value = object[name]
	}
	return value
}

// version returns a text that changes with a record. It leaves out links, which
// depend on the address of the service, and addresses with a query, which may be
// signed anew for each read.
func version(record any) string { return digest(lasting(record)) }

func lasting(value any) any {
	switch value := value.(type) {
	case map[string]any:
		kept := map[string]any{}
		for name, member := range value {
			if name != "href" && name != "self" {
				kept[name] = lasting(member)
			}
		}
		return kept
	case []any:
		kept := slices.Clone(value)
		for i := range kept {
			kept[i] = lasting(kept[i])
		}
		return kept
	case string:
		if strings.Contains(value, "://") && strings.Contains(value, "?") {
			return nil
		}
	}
	return value
}
