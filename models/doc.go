// Package models contains the records of the practice management service and
// their value types. It contains only data and does not depend on HTTP.
//
// # Records
//
// A record is a struct with json tags, generated from the API description.
// Decoding is lenient where the service varies: for strings, times, lists,
// links and objects, a missing member, null and {} are the same zero value; a
// link's rel is read as its relation; JSON members without a struct field are
// kept in Extra and written again. Decoding is strict where an error could go
// unnoticed: it rejects invalid JSON, duplicate names, raw control characters
// and trailing data. When the client decodes a page, an invalid record in a
// [Collection] does not affect the others; json.Unmarshal returns it as an
// error. Encoding omits zero and absent members.
//
// # Values
//
// A [Decimal] is an exact amount with its digits as written. An [Opt]
// distinguishes an omitted member, null and a value. A [DateTime] is an
// instant, a [LocalDateTime] is a local time whose zone is in another member, a
// [Date] is a date, and a [Ticks] is a number of 100-nanosecond steps. They are
// written back unchanged. A [Secret] shows its text only through Reveal. Ids
// are strings, and not necessarily UUIDs. Enumerations are open: there are
// constants for the published values; other values are read, kept and sent, and
// the service decides whether to accept them.
//
// Values of this package's types can be copied, and several goroutines can read
// them concurrently.
package models

//go:generate go run ../internal/cmd/generate models
