package fuzztest

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/practicesdk/practice-go/models"
)

// writer uses the fuzzer's bytes as choices. It writes a record with members of
// every kind, in any order, rarely invalid, with the special cases of JSON. If
// the fuzzer changed the text itself, it would soon no longer be a record.
type writer struct {
	choices []byte
	strings.Builder
}

// pick returns a number below n. When the bytes are used up it returns 0, for
// which every caller writes the shortest text.
func (w *writer) pick(n int) int {
	if len(w.choices) == 0 {
		return 0
	}
	c := int(w.choices[0])
	w.choices = w.choices[1:]
	return c % n
}

func (w *writer) of(list ...string) { w.WriteString(list[w.pick(len(list))]) }

func (w *writer) space() { w.of("", "", "", "", "", "", " ", "\n\t") }

func (w *writer) text() {
	w.of(`"x"`, `""`, `"Grüße 😀"`, `"a longer text, more than a word, and \"quoted\""`, `"\u00e9\n\/"`, `"\ud83d\ude00"`, `"\ud800"`, "\"a\xffb\"",
		"\"\xed\xa0\x80\"", `"12345678"`, `"1234567\\"`)
}

func (w *writer) number() {
	w.of("0", "1", "-1", "500", "3.0", "1e2", "1.10", "-0.05", "637981232724209300", "9223372036854775807", "9223372036854775808", "1e-2", "100e-2",
		"12345678901234567890.5", "-0", "0.00", "1E+3", "0e999999")
}

func (w *writer) day() {
	w.of(`"2026-07-01"`, `"2024-02-29"`, `"2026-02-29"`, `"0001-01-01"`, `"2026-07-01T10:00:00Z"`, `"2026-7-1"`)
}

func (w *writer) moment() {
	w.of(`"2026-09-01T09:30:00"`, `"2017-02-20T05:50:30.1568284Z"`, `"2026-05-22T03:16:28.1234567+00:00"`, `"0001-01-01T00:00:00"`,
		`"2026-05-22T03:16:28-00:00"`, `"2026-05-22T24:16:28Z"`, `"2026-05-22 03:16:28Z"`, `"2026-05-22T03:16:28.000000000Z"`)
}

func (w *writer) anything() {
	w.of(`null`, `{}`, `[]`, `{ }`, `true`, `false`, `[1,[2,{"a":null}]]`, `{"a":{"b":[1.50," "]} , "c":"\ud800"}`, `{"a":1,"a":2}`, `{"é":1,"\u00e9":2}`,
		`[`+strings.Repeat(`[`, 10)+strings.Repeat(`]`, 10)+`]`, `"x"`, `1.5`, `{"":0}`)
}

// value writes a value of the type, sometimes one of another kind.
func (w *writer) value(t reflect.Type, depth int) {
	if elem, ok := isOpt(t); ok {
		t = elem
	}
	switch odd := w.pick(48); {
	case odd >= 46 || depth > 6:
		w.anything()
	case odd >= 42:
		w.of(`null`, `{}`)
	default:
		w.fitting(t, depth)
	}
}

func (w *writer) fitting(t reflect.Type, depth int) {
	switch t {
	case decimalType, centsType:
		w.number()
		return
	case ticksType, codeType:
		w.of("637981232724209300", `"637981232724209300"`, "3", `"0"`, `"Normal"`)
		return
	case dateType:
		w.day()
		return
	case timeType, localType:
		w.moment()
		return
	case objectType, freeType:
		w.anything()
		return
	case secretType:
		w.text()
		return
	}
	switch t.Kind() {
	case reflect.String:
		w.text()
	case reflect.Int, reflect.Int64:
		w.number()
	case reflect.Bool:
		w.of("true", "false")
	case reflect.Slice:
		w.list(t, depth)
	case reflect.Map:
		w.object(t, depth)
	default:
		w.record(t, depth)
	}
}

func (w *writer) list(t reflect.Type, depth int) {
	w.WriteByte('[')
	for i := range w.pick(4) {
		if i > 0 {
			w.WriteByte(',')
		}
		w.space()
		w.value(t.Elem(), depth+1)
		w.space()
	}
	w.WriteByte(']')
}

// object writes a few members with any names.
func (w *writer) object(t reflect.Type, depth int) {
	w.WriteByte('{')
	for i := range w.pick(4) {
		if i > 0 {
			w.WriteByte(',')
		}
		w.text()
		w.WriteByte(':')
		w.value(t.Elem(), depth+1)
	}
	w.WriteByte('}')
}

// record writes some members of the record, from a random one on, and some
// unknown members.
func (w *writer) record(t reflect.Type, depth int) {
	members := membersOf(t)
	first, sep := w.pick(len(members)), ""
	w.WriteByte('{')
	for i := range members {
		m := members[(first+i)%len(members)]
		for range w.times() {
			w.WriteString(sep)
			w.member(m.name, m.typ, depth)
			sep = ","
		}
		switch w.pick(40) {
		case 1:
			w.WriteString(sep)
			w.member("rel", reflect.TypeFor[string](), depth)
			sep = ","
		case 2:
			w.WriteString(sep)
			w.member([]string{"new", "", "é\n", "vendorId", "x", m.name + "x"}[w.pick(6)], objectType, depth)
			sep = ","
		}
	}
	w.WriteByte('}')
}

// times returns how often a member is written: usually once, sometimes not,
// rarely twice.
func (w *writer) times() int {
	switch c := w.pick(256); {
	case c == 1:
		return 2
	case c < 64:
		return 0
	default:
		return 1
	}
}

func (w *writer) member(name string, t reflect.Type, depth int) {
	w.space()
	if w.pick(30) == 1 && name != "" {
		fmt.Fprintf(w, `"\u%04x%s"`, []rune(name)[0], strings.ReplaceAll(string([]rune(name)[1:]), "\n", `\n`))
	} else {
		fmt.Fprintf(w, `"%s"`, strings.ReplaceAll(name, "\n", `\n`))
	}
	w.space()
	w.WriteByte(':')
	w.space()
	w.value(t, depth+1)
	w.space()
}

// subject is a record of the service, with a function that compares two
// decodings of a text.
type subject struct {
	typ     reflect.Type
	compare func(t *testing.T, text []byte)
}

func subjectOf[T any, P record[T]]() subject { return subject{reflect.TypeFor[T](), compare[T, P]} }

// subjects lists the records in responses and bodies.
var subjects = []subject{
	subjectOf[models.Collection[models.CalendarEvent]](),
	subjectOf[models.Collection[models.BankAccount]](),
	subjectOf[models.Collection[models.Promotion]](),
	subjectOf[models.Collection[models.WebhookSubscription]](),
	subjectOf[models.Collection[models.Link]](),
	subjectOf[models.Collection[string]](),
	subjectOf[models.FolderListingPage](),
	subjectOf[models.Subscription](),
	subjectOf[models.StaffMember](),
	subjectOf[models.Expense](),
	subjectOf[models.Policy](),
	subjectOf[models.PaymentMethod](),
	subjectOf[models.MatterRelationships](),
	subjectOf[models.UploadInfo](),
	subjectOf[models.Notification](),
	subjectOf[models.FeePatch](),
	subjectOf[models.FileCreate](),
	subjectOf[models.WebhookSubscriptionWrite](),
}

// generated returns the text of a record for the choices.
func generated(typ reflect.Type, choices []byte) []byte {
	w := &writer{choices: choices}
	w.value(typ, 0)
	return []byte(w.String())
}

func randomBytes(random *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(random.Uint32())
	}
	return b
}

// FuzzGenerated compares the codecs for every record of the service.
func FuzzGenerated(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		f.Add(randomBytes(random, 1+random.IntN(2000)))
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		for _, s := range subjects {
			s.compare(t, generated(s.typ, choices))
		}
	})
}
