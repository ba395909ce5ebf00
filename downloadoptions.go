package practice

// DownloadOptions choose the version of a file and how it is read. They are
// given to Download, DownloadFile, DownloadDir and Open like a CallOption; any
// other call refuses them. DownloadDir takes Ranges and RangeSize only.
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
	// Open does not use it.
	Progress func(done, total int64)
}

const (
	defaultRanges    = 4
	maxRanges        = 64
	defaultRangeSize = 4 << 20
)

func (DownloadOptions) applyCall(*callSettings) error {
	return &ConfigError{"DownloadOptions", "can only be given to Download, DownloadFile, DownloadDir and Open"}
}

// downloadOptions takes the options of a download out of those of a call. The
// ones given later win.
func downloadOptions(operation string, opts []CallOption) (DownloadOptions, []CallOption, error) {
	var chosen DownloadOptions
	rest := make([]CallOption, 0, len(opts))
	for _, opt := range opts {
		if options, ok := opt.(DownloadOptions); ok {
			chosen = options
			continue
		}
		rest = append(rest, opt)
	}
	switch {
	case chosen.Ranges < 0 || chosen.Ranges > maxRanges:
		return chosen, nil, &ArgumentError{Operation: operation, Argument: "Ranges", Reason: "must be 0 to 64"}
	case chosen.RangeSize < 0:
		return chosen, nil, &ArgumentError{Operation: operation, Argument: "RangeSize", Reason: "must not be negative"}
	}
	if chosen.Ranges == 0 {
		chosen.Ranges = defaultRanges
	}
	if chosen.RangeSize == 0 {
		chosen.RangeSize = defaultRangeSize
	}
	return chosen, rest, nil
}
