package practice

// DownloadOptions choose the version of a file and how Download and DownloadFile
// read it. The zero value reads the latest version.
type DownloadOptions struct {
	VersionID string // a version of the file; empty means the latest
	// Ranges is how many parts of the content are fetched at the same time at
	// most, each over a connection of its own: 1 to 64; 0 means 4. More than one
	// is only used into a file, and where the storage names versions and knows
	// ranges.
	Ranges int
	// RangeSize is the smallest part in bytes that is worth a connection: a file
	// is read in one stream below twice that size; 0 means 4 MiB.
	RangeSize int64
	// Progress is told how many of all bytes have been received; total is -1
	// while it is not known. done never falls, also when an attempt has to begin
	// again. Calls do not overlap and hold the transfer up, so it must be quick.
	Progress func(done, total int64)
}

// OpenOptions choose what Open reads. The zero value is the latest version.
type OpenOptions struct {
	VersionID string // a version of the file; empty means the latest
}

const (
	defaultRanges    = 4
	maxRanges        = 64
	defaultRangeSize = 4 << 20
)

// checkRanges tells which of the two numbers of a parallel download is not
// allowed, and why.
func checkRanges(ranges int, size int64) (argument, reason string) {
	switch {
	case ranges < 0 || ranges > maxRanges:
		return "Ranges", "must be 0 to 64"
	case size < 0:
		return "RangeSize", "must not be negative"
	}
	return "", ""
}

// withDefaults gives the options as they hold where one is left out.
func (o DownloadOptions) withDefaults() DownloadOptions {
	if o.Ranges == 0 {
		o.Ranges = defaultRanges
	}
	if o.RangeSize == 0 {
		o.RangeSize = defaultRangeSize
	}
	return o
}
