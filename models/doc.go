// Package models holds the records of the practice management service and their
// value types. It contains only data and does not depend on HTTP.
//
// # Records
//
// A record is a struct with json tags. Records are generated from the
// description of the interface. Decoding is lenient where the service varies:
// for strings, times, lists, links and objects a missing member, null and {}
// are the same zero value; a link's rel is read as its relation; members
// without a field are kept in Extra and written again. Decoding is strict where
// an error could remain unnoticed: it refuses invalid JSON, duplicate names,
// raw control characters and trailing data. When the client decodes a page, an
// invalid record of a [Collection] does not affect the others; json.Unmarshal
// returns it as an error. Encoding omits zero and absent members.
//
// # Values
//
// Amounts are [Decimal]: exact, with their digits as written. [Opt]
// distinguishes an omitted member, null and a value. [DateTime] is an instant,
// [LocalDateTime] a local time whose zone is in another member, [Date] a date,
// [Ticks] a number of 100-nanosecond steps. They are written as they were read.
// [Secret] shows its text only through Reveal. Ids are strings, and not
// necessarily UUIDs. Enumerations are open: constants exist for the published
// values; other values are read, kept and sent, and the service decides about
// them.
//
// Values of this package can be copied, and read by several goroutines
// concurrently.
package models

//go:generate go run ../internal/cmd/generate models
