package plan

import (
	"slices"
)

// Choice selects the content of a file in a conflict.
type Choice int

// Choices.
const (
	KeepBoth   Choice = iota + 1 // the one here gets another name
	KeepLocal                    // the one here becomes a version there
	KeepRemote                   // the one here is replaced
)

// Options configure a plan. They include the answers to questions of an earlier
// plan.
type Options struct {
	Push      bool // there follows here; otherwise here follows there
	Delete    bool // deletions on one side are repeated on the other
	Overwrite bool // a pull replaces files that were changed here
	BySize    bool // there is no base: files of one name and size are alike
	Choices   map[Key]Choice
	Folders   map[string]string // the id of one of several folders of one name, by the path here
}

// Op is the operation of a step.
type Op int

// Ops. Those of a push act there, those of a pull here.
const (
	Note       Op = iota + 1 // only notes the Entry
	Forget                   // lets go of the entry
	MakeFolder               // there
	Place                    // renames and moves there
	Create                   // makes a file there and sends its content
	Send                     // sends a version
	Resume                   // sends the content of a file that has none
	Drop                     // deletes there
	MakeDir                  // here
	Move                     // here
	Receive                  // here
	Remove                   // here
)

// Step is one operation. It can run after the steps before it.
type Step struct {
	Op   Op
	Key  Key    // of what the service has; without an ID when it is to be made
	Path string // here; of a Move, before it
	To   string // here, of a Move; it has a temporary name when Entry.Parked is set
	Name string // there, of MakeFolder, Place and Create
	// In is the folder there of MakeFolder, Place and Create. InPath is its
	// path here when it is to be made as well.
	In     Key
	InPath string
	// Aside is a path here to which the file at Path is moved first, so that
	// both contents stay.
	Aside string
	// Replaces is the key of the former entry, whose record is gone there.
	Replaces Key
	Entry    Entry   // as it is afterwards, without the facts of Done
	Here     *Local  // the file or folder at Path; nil without one
	There    *Remote // the record of the service; nil without one
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
	Path     string // here, in the end
	From     string // here, before a move; otherwise empty
	Copy     string // of the content here, in a conflict
	Size     int64
	IDs      []string // of which one has to be chosen
	Transfer *Step    // that carries the content; nil when none is carried
	Place    *Step    // that makes, moves or removes it; nil when none does
}

// Plan holds the steps of a push or a pull.
type Plan struct {
	// Structure are folders, names and places, one level after the other. The
	// steps of a level can run at the same time.
	Structure [][]*Step
	Transfers []*Step // contents, in any order
	Drops     []*Step // deletions there, one after the other
	Outcomes  []*Outcome
	// Questions are the files whose content there has to be read, Conflicts
	// those that need a choice. While there are any, nothing is executed.
	Questions []Key
	Conflicts []*Outcome
	Removals  int  // files and folders that are removed
	Known     int  // entries of the base
	Blocked   int  // files that are not looked at: nobody knows their folder there
	Empty     bool // the side that is read has nothing
}

// Steps returns all steps in an order in which they can run.
func (p *Plan) Steps() []*Step {
	return slices.Concat(slices.Concat(p.Structure...), p.Transfers, p.Drops)
}
