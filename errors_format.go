package practice

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/practicesdk/practice-go/models"
)

// Errors keep answers and causes for programs, in fields. Package fmt
// and encoding/json show the text of an error instead: an answer may have a key or a
// pre-signed address in it, and a cause the address of the request.

func formatError(state fmt.State, verb rune, text string) {
	switch verb {
	case 'q', 'x', 'X':
		_, _ = fmt.Fprintf(state, fmt.FormatString(state, verb), text)
	default:
		_, _ = io.WriteString(state, text)
	}
}

// Format writes the text of the error for every verb.
func (e Error) Format(state fmt.State, verb rune) { formatError(state, verb, (&e).Error()) }

// MarshalJSON returns the text of the error; the error is always nil.
func (e Error) MarshalJSON() ([]byte, error) { return json.Marshal((&e).Error()) }

// Format writes the text of the error for every verb.
func (e NoAnswerError) Format(state fmt.State, verb rune) { formatError(state, verb, (&e).Error()) }

// MarshalJSON returns the text of the error; the error is always nil.
func (e NoAnswerError) MarshalJSON() ([]byte, error) { return json.Marshal((&e).Error()) }

// Format writes the text of the error for every verb.
func (e AmbiguousWriteError) Format(state fmt.State, verb rune) {
	formatError(state, verb, (&e).Error())
}

// MarshalJSON returns the text of the error; the error is always nil.
func (e AmbiguousWriteError) MarshalJSON() ([]byte, error) { return json.Marshal((&e).Error()) }

// Format writes the text of the error for every verb.
func (e DecodeError) Format(state fmt.State, verb rune) { formatError(state, verb, (&e).Error()) }

// MarshalJSON returns the text of the error; the error is always nil.
func (e DecodeError) MarshalJSON() ([]byte, error) { return json.Marshal((&e).Error()) }

// Format writes the text of the error for every verb.
func (e RecordError) Format(state fmt.State, verb rune) { formatError(state, verb, (&e).Error()) }

// MarshalJSON returns the text of the error; the error is always nil.
func (e RecordError) MarshalJSON() ([]byte, error) { return json.Marshal((&e).Error()) }

// Format writes the text of the error for every verb.
func (e PagingError) Format(state fmt.State, verb rune) { formatError(state, verb, (&e).Error()) }

// MarshalJSON returns the text of the error; the error is always nil.
func (e PagingError) MarshalJSON() ([]byte, error) { return json.Marshal((&e).Error()) }

// Format writes the text of the error for every verb.
func (e TokenError) Format(state fmt.State, verb rune) { formatError(state, verb, (&e).Error()) }

// MarshalJSON returns the text of the error; the error is always nil.
func (e TokenError) MarshalJSON() ([]byte, error) { return json.Marshal((&e).Error()) }

// Format writes the text of the error for every verb.
func (e TransferError) Format(state fmt.State, verb rune) { formatError(state, verb, (&e).Error()) }

// MarshalJSON returns the text of the error; the error is always nil.
func (e TransferError) MarshalJSON() ([]byte, error) { return json.Marshal((&e).Error()) }

// Format writes the text of the error for every verb.
func (e FolderError) Format(state fmt.State, verb rune) { formatError(state, verb, (&e).Error()) }

// MarshalJSON returns the text of the error; the error is always nil.
func (e FolderError) MarshalJSON() ([]byte, error) { return json.Marshal((&e).Error()) }

// Format writes the text of the error for every verb.
func (e DirError) Format(state fmt.State, verb rune) { formatError(state, verb, (&e).Error()) }

// MarshalJSON returns the text of the error; the error is always nil.
func (e DirError) MarshalJSON() ([]byte, error) { return json.Marshal((&e).Error()) }

// MarshalJSON writes Err as its text.
func (a Attempt) MarshalJSON() ([]byte, error) {
	type plain Attempt // without this method
	text := ""
	if a.Err != nil {
		text = oneLine(a.Err.Error())
	}
	return json.Marshal(struct {
		plain
		Err string
	}{plain(a), text})
}

// Bounds of what a message says of the fields that the service refused.
const (
	mostFields  = 5
	mostOfField = 160 // bytes of each
)

// explanation is what the service says about a failure, on one line: its message
// and the fields that it names.
func explanation(problem models.Problem) string {
	message := oneLine(problem.Message())
	var fields []string
	for _, field := range problem.Errors {
		if text := oneLine(field.String()); text != "" && text != message {
			fields = append(fields, bounded(text, mostOfField))
		}
	}
	if len(fields) == 0 {
		return message
	}
	if more := len(fields) - mostFields; more > 0 {
		fields = append(fields[:mostFields], "and "+strconv.Itoa(more)+" more")
	}
	return strings.TrimSpace(message + " [" + strings.Join(fields, "; ") + "]")
}
