// Package models holds the records of the practice management service and the
// values they are made of. It is data only: it knows nothing of HTTP, and
// everything else may use it.
//
// # Records
//
// A record is a plain struct with json tags. The records follow from the
// description of the interface. Reading is tolerant where the service is loose:
// for texts, times, lists, links and objects a missing member, null and {} are
// the same zero value; a link's rel is read as its relation; members without a
// field are kept in Extra and written back. Reading is strict where a mistake
// could hide: broken JSON, duplicate names, raw control characters and trailing
// data are refused. A fault inside one record of a [Collection] costs that
// record only when the client decodes the page; json.Unmarshal reports it as an
// error. Writing leaves out what is zero or absent.
//
// # Values
//
// Amounts are [Decimal], exact and with the digits they were written in. [Opt]
// tells omitted from null from a value. [DateTime] is an instant,
// [LocalDateTime] a clock on a wall whose zone is in another member, [Date] a
// day, [Ticks] a count of 100 nanoseconds. They are written back as they were
// read. [Secret] shows its text only when asked. Identifiers are strings: not
// all of them are UUIDs. Enumerations are open: the constants name the values
// that are published, others are read, kept and sent, and the service judges
// them.
//
// Values of this package may be copied, and read by any number of goroutines at
// once.
package models

//go:generate go run ../internal/cmd/generate models
