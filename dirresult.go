package practice

// DirAction is what UploadDir or DownloadDir did with a file.
type DirAction string

// What UploadDir and DownloadDir may do with a file.
const (
	DirCreated DirAction = "created" // it was not there
	DirUpdated DirAction = "updated" // another version was there
	// DirResumed: the file was there without its content, as an upload that broke
	// off leaves it. UploadDir only.
	DirResumed DirAction = "resumed"
	DirKept    DirAction = "kept" // it was there already
	// DirIgnored: there is no content to transfer. The local file is no regular
	// one, or a file of this library; or the content of the service's file never
	// arrived there.
	DirIgnored DirAction = "ignored"
	DirFailed  DirAction = "failed" // Err says why
)

// DirResult tells what became of one file, or of a folder that failed.
type DirResult struct {
	// Path leads to the local file or folder, with slashes, from the folder that
	// is mirrored; that one itself is ".".
	Path   string
	Action DirAction
	// ID identifies the file or folder of the service. Empty while there is none.
	ID   string
	Size int64 // of the content in bytes
	// IsDir tells that this is a folder. It stands for everything in it.
	IsDir bool
	Err   error // nil unless Action is DirFailed
}
