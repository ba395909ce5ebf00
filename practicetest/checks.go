package practicetest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if c != '-' {
				return false
			}
		case c >= '0' && c <= '9', c >= 'a' && c <= 'f', c >= 'A' && c <= 'F':
		default:
			return false
		}
	}
	return true
}

func asText(raw json.RawMessage) (string, bool) {
	if len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	var s string
	err := json.Unmarshal(raw, &s)
	return s, err == nil
}

// textOf checks a text of shortest to longest characters; no longest when zero.
func textOf(shortest, longest int) func(json.RawMessage) string {
	return func(raw json.RawMessage) string {
		s, isText := asText(raw)
		n := utf8.RuneCountInString(s)
		switch {
		case !isText:
			return "must be a text"
		case n < shortest:
			return fmt.Sprintf("must have at least %d character", shortest)
		case longest > 0 && n > longest:
			return fmt.Sprintf("must have at most %d characters", longest)
		}
		return ""
	}
}

func uuidText(raw json.RawMessage) string {
	if s, isText := asText(raw); !isText || !isUUID(s) {
		return "not a UUID"
	}
	return ""
}

func dateText(raw json.RawMessage) string {
	s, _ := asText(raw)
	if _, err := time.Parse(time.DateOnly, s); err != nil {
		return "must be a date, YYYY-MM-DD"
	}
	return ""
}

func dateTimeText(raw json.RawMessage) string {
	s, _ := asText(raw)
	if _, valid := dateTime(s); !valid {
		return "must be an ISO 8601 date-time"
	}
	return ""
}

// dateTime reads a date-time with or without a zone, where none means UTC.
func dateTime(s string) (time.Time, bool) {
	for _, layout := range []string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05"} {
		if t, err := time.Parse(layout, s); err == nil && !strings.Contains(s, ",") {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

func wholeNumber(raw json.RawMessage) string {
	if _, err := strconv.ParseInt(string(raw), 10, 64); err != nil {
		return "must be an integer"
	}
	return ""
}

func oneOf(numbers ...string) func(json.RawMessage) string {
	return func(raw json.RawMessage) string {
		for _, n := range numbers {
			if string(raw) == n {
				return ""
			}
		}
		return "must be one of " + strings.Join(numbers, ", ")
	}
}

func decimalNumber(raw json.RawMessage) string {
	if _, valid := amount(string(raw)); !valid {
		return "must be a number"
	}
	return ""
}

func boolean(raw json.RawMessage) string {
	if s := string(raw); s != "true" && s != "false" {
		return "must be true or false"
	}
	return ""
}

func anObject(raw json.RawMessage) string {
	if _, err := parseObject(raw); err != nil {
		return "must be an object"
	}
	return ""
}

// objectsOf checks an array of objects of one schema.
func objectsOf(s *schema) func(json.RawMessage) string {
	return func(raw json.RawMessage) string {
		var items []json.RawMessage
		if err := json.Unmarshal(raw, &items); err != nil {
			return "must be an array of objects"
		}
		for i, item := range items {
			members, err := parseObject(item)
			if err != nil {
				return "must be an array of objects"
			}
			found, unknown := s.faults(members)
			for _, name := range unknown {
				found = append(found, fieldFault{name, "Unknown", "unknown member"})
			}
			if len(found) > 0 {
				return fmt.Sprintf("item %d: %s", i, sentence(found))
			}
		}
		return ""
	}
}

// textsLike checks an array of texts of one form.
func textsLike(form *regexp.Regexp) func(json.RawMessage) string {
	return func(raw json.RawMessage) string {
		texts, err := parseTexts(raw)
		if err != nil {
			return "must be an array of texts"
		}
		for _, s := range texts {
			if !form.MatchString(s) {
				return fmt.Sprintf("%q is not of the form %s", s, form)
			}
		}
		return ""
	}
}
