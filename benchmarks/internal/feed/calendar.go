package feed

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// Calendar writes pages of a calendar of any size. It repeats a few records
// with different ids.
type Calendar struct {
	Size    int // number of events
	records []record
}

// record holds the text of an event and the positions of the digits that
// distinguish its id.
type record struct {
	text   []byte
	digits []int
}

const idDigits = 12

// Calendar returns a calendar of size events made from the recorded responses.
func (a *Answers) Calendar(size int) (*Calendar, error) {
	c := &Calendar{Size: size}
	for _, text := range a.Events {
		var event struct {
			ID string `json:"id"`
		}
		if err := json.Unmarshal(text, &event); err != nil {
			return nil, err
		}
		r := record{text: text}
		for at := 0; ; {
			found := bytes.Index(text[at:], []byte(event.ID))
			if found < 0 {
				break
			}
			at += found + len(event.ID)
			r.digits = append(r.digits, at-idDigits)
		}
		c.records = append(c.records, r)
	}
	return c, nil
}

// AppendPage appends the page that begins at offset.
func (c *Calendar) AppendPage(dst []byte, offset, limit int) []byte {
	dst = append(dst, `{"href":"`+BaseURL+`/events","relation":"collection","method":"GET","self":null,"id":null,"offset":`...)
	dst = strconv.AppendInt(dst, int64(offset), 10)
	dst = append(dst, `,"limit":`...)
	dst = strconv.AppendInt(dst, int64(limit), 10)
	dst = append(dst, `,"size":`...)
	dst = strconv.AppendInt(dst, int64(c.Size), 10)
	if next := offset + limit; next < c.Size {
		dst = append(dst, `,"next":{"href":"`+BaseURL+`/events?limit=`...)
		dst = strconv.AppendInt(dst, int64(limit), 10)
		dst = append(dst, `&offset=`...)
		dst = strconv.AppendInt(dst, int64(next), 10)
		dst = append(dst, `","rel":"collection"}`...)
	}
	dst = append(dst, `,"value":[`...)
	for i := offset; i < min(offset+limit, c.Size); i++ {
		if i > offset {
			dst = append(dst, ',')
		}
		dst = c.records[i%len(c.records)].appendAs(dst, i)
	}
	return append(dst, "]}"...)
}

// appendAs appends the text of the event with a number in its id.
func (r record) appendAs(dst []byte, number int) []byte {
	start := len(dst)
	dst = append(dst, r.text...)
	for _, place := range r.digits {
		digits := dst[start+place:][:idDigits]
		for i, rest := idDigits-1, number; i >= 0; i, rest = i-1, rest/10 {
			digits[i] = byte('0' + rest%10)
		}
	}
	return dst
}
