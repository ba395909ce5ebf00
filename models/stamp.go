package models

import "time"

// zoneForm is the form of the zone in a stamp; the zero value marks an absent
// stamp.
type zoneForm uint8

const (
	zoneAbsent zoneForm = iota
	zoneNone            // no zone
	zoneUTC             // Z
	zoneEast            // +hh:mm
	zoneWest            // -hh:mm, also -00:00
	zoneDay             // a date only: 2006-01-02
)

// stamp holds the written parts of a date and a time, so that they are written
// digit for digit as they were read. DateTime and LocalDateTime use it. It
// needs no allocation.
type stamp struct {
	nsec              int32
	offset            uint16 // minutes of the zone offset, without its sign
	date              Date
	hour, minute, sec uint8
	digits            uint8 // number of fraction digits
	zone              zoneForm
}

// stampLen is the length of 2006-01-02T15:04:05, which every stamp begins with.
const stampLen = 19

// maxFraction is the maximum number of fraction digits of a stamp.
const maxFraction = 9

// parseStamp parses 2006-01-02T15:04:05, a fraction of up to nine digits, and
// Z, an offset or nothing.
func parseStamp(s []byte) (stamp, bool) {
	var at stamp
	if len(s) < stampLen || s[10] != 'T' || s[13] != ':' || s[16] != ':' {
		return at, false
	}
	date, ok := parseDay(s[:10])
	hour, minute, sec := twoDigits(s, 11), twoDigits(s, 14), twoDigits(s, 17)
	if !ok || hour > 23 || minute > 59 || sec > 59 {
		return at, false
	}
	at = stamp{date: date, hour: uint8(hour), minute: uint8(minute), sec: uint8(sec)}
	rest, ok := parseFraction(s[stampLen:], &at)
	return at, ok && parseZone(rest, &at)
}

// parseFraction parses a decimal point and its digits, if present, and returns
// the rest.
func parseFraction(s []byte, at *stamp) ([]byte, bool) {
	if len(s) == 0 || s[0] != '.' {
		return s, true
	}
	n := 1
	for ; n < len(s) && '0' <= s[n] && s[n] <= '9'; n++ {
		if n > maxFraction {
			return s, false
		}
		at.nsec = at.nsec*10 + int32(s[n]-'0')
	}
	at.digits = uint8(n - 1)
	for i := n; i <= maxFraction; i++ {
		at.nsec *= 10
	}
	return s[n:], n > 1
}

func parseZone(s []byte, at *stamp) bool {
	switch {
	case len(s) == 0:
		at.zone = zoneNone
		return true
	case len(s) == 1 && s[0] == 'Z':
		at.zone = zoneUTC
		return true
	case len(s) != 6 || s[3] != ':' || (s[0] != '+' && s[0] != '-'):
		return false
	}
	hours, minutes := twoDigits(s, 1), twoDigits(s, 4)
	if hours > 23 || minutes > 59 {
		return false
	}
	at.zone = zoneEast
	if s[0] == '-' {
		at.zone = zoneWest
	}
	at.offset = uint16(hours*60 + minutes)
	return true
}

// twoDigits parses two digits. For anything else it returns a number above
// every limit.
func twoDigits(s []byte, i int) uint {
	tens, ones := uint(s[i])-'0', uint(s[i+1])-'0'
	if tens > 9 || ones > 9 {
		return 100
	}
	return tens*10 + ones
}

// appendTo appends the stamp as read.
func (at stamp) appendTo(b []byte) []byte {
	b = at.date.appendTo(b)
	if at.zone == zoneDay {
		return b
	}
	b = append(b, 'T')
	b = appendTwo(b, at.hour)
	b = append(b, ':')
	b = appendTwo(b, at.minute)
	b = append(b, ':')
	b = appendTwo(b, at.sec)
	if at.digits > 0 {
		b = append(b, '.')
		unit := int32(100_000_000)
		for range at.digits {
			b = append(b, '0'+byte(at.nsec/unit%10))
			unit /= 10
		}
	}
	switch at.zone {
	case zoneUTC:
		return append(b, 'Z')
	case zoneEast:
		b = append(b, '+')
	case zoneWest:
		b = append(b, '-')
	default:
		return b
	}
	b = appendTwo(b, uint8(at.offset/60))
	b = append(b, ':')
	return appendTwo(b, uint8(at.offset%60))
}

func appendTwo(b []byte, n uint8) []byte {
	return append(b, '0'+n/10, '0'+n%10)
}

func (at stamp) text() string {
	if at.zone == zoneAbsent {
		return ""
	}
	var buf [stampLen + 1 + maxFraction + 6]byte
	return string(at.appendTo(buf[:0]))
}

func (at stamp) hasZone() bool { return at.zone > zoneNone && at.zone != zoneDay }

// in returns the instant of the stamp's local time in loc. Package time decides
// for gaps and overlaps.
func (at stamp) in(loc *time.Location) time.Time {
	return time.Date(int(at.date.year), time.Month(at.date.month), int(at.date.day),
		int(at.hour), int(at.minute), int(at.sec), int(at.nsec), loc)
}

// instant returns the instant of the stamp in UTC; a stamp without a zone is in
// UTC.
func (at stamp) instant() time.Time {
	if at.zone == zoneAbsent {
		return time.Time{}
	}
	t := at.in(time.UTC)
	switch offset := time.Duration(at.offset) * time.Minute; at.zone {
	case zoneEast:
		return t.Add(-offset)
	case zoneWest:
		return t.Add(offset)
	default:
		return t
	}
}

// stampOf returns the parts of t in its own location, with no more fraction
// digits than needed. For a year without four digits it returns the absent
// stamp.
func stampOf(t time.Time, zone zoneForm) stamp {
	date := DateOf(t)
	if date.IsZero() {
		return stamp{}
	}
	at := stamp{date: date, zone: zone, nsec: int32(t.Nanosecond())}
	at.hour, at.minute, at.sec = uint8(t.Hour()), uint8(t.Minute()), uint8(t.Second())
	for rest := int64(at.nsec); rest > 0; rest = rest * 10 % 1_000_000_000 {
		at.digits++
	}
	return at
}
