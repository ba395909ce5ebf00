package plan

import (
	"slices"
)

// Choice says which content of a file holds when both sides have one that the
// base does not know to be alike.
type Choice int

// Choices.
const (
	KeepBoth   Choice = iota + 1 // the one here gets another name
	KeepLocal                    // the one here becomes a version there
	KeepRemote                   // the one here is replaced
)

// Options say what is planned. The answers to what an earlier plan left open
// are among them.
type Options struct {
	Push      bool // there follows here; otherwise here follows there
	Delete    bool // what is gone on one side is removed from the other
	Overwrite bool // a pull replaces what was changed here
	BySize    bool // there is no base: files of one name and size are alike
	Choices   map[Key]Choice
	Folders   map[string]string // the id of one of several folders of one name, by the path here
}

// Op is what a step does.
type Op int

// Ops. Those of a push act there, those of a pull here.
const (
	Note       Op = iota + 1 // nothing but to note the Entry
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

// Step is one thing to be done. Each can run when those before it have.
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
	// Aside is a path here that what lies at Path gets first, so that both
	// contents stay.
	Aside string
	// Replaces is the entry that the new one takes the place of: what it names
	// is gone there.
	Replaces Key
	Entry    Entry   // as it is afterwards, but for what only the execution knows
	Here     *Local  // what lies at Path; nil when nothing does
	There    *Remote // what the service has; nil when it has nothing
}

// Action says how a file or folder is handled. Package mirror explains each.
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

// Outcome is what becomes of one file or folder. Its steps stand in the plan.
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

// Plan is what a push or a pull has to do.
type Plan struct {
	// Structure are folders, names and places, one level after the other. The
	// steps of a level can run at the same time.
	Structure [][]*Step
	Transfers []*Step // contents, in any order
	Drops     []*Step // what is deleted there, one after the other
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
