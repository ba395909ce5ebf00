package plan

// Choice selects the content of a file in a conflict.
type Choice int

// Choices.
const (
	KeepBoth   Choice = iota + 1 // the local content gets another name
	KeepLocal                    // the local content becomes a version of the document
	KeepRemote                   // the local content is replaced
)

// Options configure a plan. They include the answers to questions of an earlier
// plan.
type Options struct {
	Push      bool // the service follows the local tree; otherwise the local tree follows the service
	Delete    bool // deletions on one side are repeated on the other
	Overwrite bool // a pull replaces files that were changed locally
	BySize    bool // there is no base: files of one name and size are alike
	Choices   map[Key]Choice
	Folders   map[string]string // chosen ids of folders whose name is ambiguous, by local path
}

// Op is the operation of a step.
type Op int

// Ops. Those of a push change the service, those of a pull the local tree.
const (
	Note       Op = iota + 1 // only records the Entry
	Forget                   // removes the entry from the base
	MakeFolder               // makes a remote folder
	Place                    // renames or moves a remote file or folder
	Create                   // makes a remote file and sends its content
	Send                     // sends a content of a remote file
	Drop                     // deletes a remote file or folder
	MakeDir                  // makes a local folder
	Move                     // renames or moves a local file or folder
	Receive                  // receives a content into a local file
	Remove                   // removes a local file or folder
)

// Step is one operation. It can run after the steps before it.
type Step struct {
	Op   Op
	Key  Key    // key of the remote file or folder; without an ID when it is to be made
	Path string // local path; of a Move, the path before it
	To   string // local path after a Move; has a temporary name when Entry.Parked is set
	Name string // remote name, of MakeFolder, Place and Create
	In   Key    // remote folder of MakeFolder, Place and Create
	// Within is the step that makes the folder that will hold it; nil when the
	// folder exists.
	Within *Step
	// Aside is a local path to which the file at Path is moved first, so that
	// both contents stay.
	Aside string
	Entry Entry   // the entry after the step, without the facts of Done
	Here  *Local  // the file or folder at Path; nil without one
	There *Remote // the record of the service; nil without one
}

// Action is the result for a file or folder. Package mirror explains each.
type Action string

// Actions.
const (
	Kept     Action = "kept"
	Created  Action = "created"
	Updated  Action = "updated"
	Resumed  Action = "resumed"
	Moved    Action = "moved"
	Waiting  Action = "waiting"
	Conflict Action = "conflict"
	Gone     Action = "gone"
	Removed  Action = "removed"
	Ignored  Action = "ignored"
	Failed   Action = "failed" // the service has several of the name, see IDs
)

// Outcome is the planned result for one file or folder.
type Outcome struct {
	Action   Action
	Key      Key
	Path     string // local path after the plan
	From     string // local path before a move; otherwise empty
	Copy     string // path of the copy of the local content, in a conflict
	Size     int64
	IDs      []string // remote items from which the user must choose
	Transfer *Step    // step that transfers the content; nil when none is transferred
	Place    *Step    // step that makes, moves or removes it; nil when none does
}

// Plan holds the steps of a push or a pull.
type Plan struct {
	// Structure are folders, names and places, one level after the other. The
	// steps of a level can run at the same time.
	Structure [][]*Step
	Outcomes  []*Outcome // their transfers follow, in any order
	Drops     []*Outcome // those of remote deletions, which follow one after the other
	// Questions are the files whose remote content has to be read, Conflicts
	// those that need a choice. While there are any, nothing is executed.
	Questions []Key
	Conflicts []*Outcome
	Removals  int // files and folders that are removed
	Blocked   int // files that are skipped because their remote folder is unknown
}
