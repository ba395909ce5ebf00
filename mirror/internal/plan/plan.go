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
	Push      bool // update the service from the local tree, not the local tree from the service
	Delete    bool // repeat deletions of one side on the other
	Overwrite bool // let a pull replace locally changed files
	BySize    bool // without a base: treat files of the same name and size as equal
	Choices   map[Key]Choice
	Folders   map[string]string // chosen ids for ambiguous folder names, by local path
}

// Op is the operation of a step.
type Op int

// Operations of a step. Those of a push change the service, those of a pull the
// local tree.
const (
	Note       Op = iota + 1 // only records the Entry
	Forget                   // removes the entry from the base
	MakeFolder               // creates a remote folder
	Place                    // renames or moves a remote file or folder
	Create                   // creates a remote file and sends its content
	Send                     // sends the content of an existing remote file
	Drop                     // deletes a remote file or folder
	MakeDir                  // creates a local folder
	Move                     // renames or moves a local file or folder
	Receive                  // receives the content of a local file
	Remove                   // removes a local file or folder
)

// Step is one operation. It requires that the steps before it have been
// executed.
type Step struct {
	Op   Op
	Key  Key    // key of the remote file or folder; without an ID if it must be created
	Path string // local path; for a Move, the path before it
	To   string // local path after a Move; a temporary one if Entry.Parked is set
	Name string // remote name, for MakeFolder, Place and Create
	In   Key    // remote folder, for MakeFolder, Place and Create
	// Within is the step that creates the folder of the item; nil if the folder
	// exists.
	Within *Step
	// Aside is the local path to which the file at Path is moved first, so that
	// both contents are kept.
	Aside string
	Entry Entry   // entry after the step, without the facts in Done
	Here  *Local  // file or folder at Path; nil if there is none
	There *Remote // remote record; nil if there is none
}

// Action is the result for a file or folder. Package mirror documents the
// values.
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
	Failed   Action = "failed" // failed; IDs is set if several remote items have the name
)

// Outcome is the planned result for one file or folder.
type Outcome struct {
	Action   Action
	Key      Key
	Path     string // local path after the plan
	From     string // local path before a move; otherwise empty
	Copy     string // path of the copy of the local content in a conflict
	Size     int64
	IDs      []string // remote items from which the user must choose
	Transfer *Step    // step that transfers the content, or nil
	Place    *Step    // step that creates, moves or removes the item, or nil
}

// Plan holds the steps of a push or a pull.
type Plan struct {
	// Structure holds the steps for folders, names and places, in levels. The
	// steps of one level can be executed concurrently.
	Structure [][]*Step
	Outcomes  []*Outcome // outcomes whose transfers come next, in any order
	Drops     []*Outcome // remote deletions, which come last, one after another
	// Questions are the files whose remote content must be read, Conflicts
	// those that need a choice. A plan with either must not be executed.
	Questions []Key
	Conflicts []*Outcome
	Removals  int // number of files and folders to remove
	Blocked   int // number of files that are skipped because their remote folder is unknown
}
