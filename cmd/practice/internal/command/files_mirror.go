package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/mirror"
	"github.com/practicesdk/practice-go/models"
)

// choices holds the values of --conflict. It must not be modified.
var choices = map[string]mirror.Choice{"both": mirror.KeepBoth, "local": mirror.KeepLocal, "remote": mirror.KeepRemote}

// mirroring holds the flags of practice files mirror, and counts the results.
type mirroring struct {
	*files
	remove, byContent bool
	maxDelete         int
	conflict          string

	printer *printer
	broken  error // of the output
	counts  map[mirror.Action]int
	bytes   int64 // to transfer
}

// mirrorFunc is mirror.Push or mirror.Pull.
type mirrorFunc func(ctx context.Context, client *practice.Client, matterID, dir string, options mirror.Options, opts ...practice.CallOption) error

func (f *files) mirrorCommand() *cobra.Command {
	const about = "Without --yes, the command only prints what it would do. If it is interrupted, run it again: it skips what is already done. " +
		"Both directions use the file .practice-manifest.jsonl in DIR, which records the last state that both sides had in common. System files and lock files are skipped."
	c := &cobra.Command{
		Use: "mirror", Short: "Update a matter's folder from a local folder, or vice versa", Long: "Updates a matter's folder from a local folder, or vice versa. " + about, Args: noSuchCommand, RunE: showHelp,
	}
	pull := f.command("pull MATTER PATH DIR", "Update a local folder from a matter's folder", about, "practice --sandbox files mirror pull 10001 Letters backup", 3, nil)
	push := f.command("push MATTER DIR PATH", "Update a matter's folder from a local folder", about, "practice --sandbox files mirror push 10001 . Letters", 2, nil)
	for direction, call := range map[*cobra.Command]mirrorFunc{pull: mirror.Pull, push: mirror.Push} {
		m := &mirroring{files: f}
		direction.PreRunE = nil // --dry-run is a plan
		direction.RunE = func(c *cobra.Command, args []string) error {
			if direction == push {
				args[1], args[2] = args[2], args[1]
			}
			return m.run(c.Context(), direction == push, call, args)
		}
		flags := direction.Flags()
		flags.BoolVar(&m.remove, "delete", false, "delete entries that no longer exist on the other side, unless they have changed")
		flags.IntVar(&m.maxDelete, "max-delete", 0, "maximum number of files and folders that --delete deletes; default: 20 or half of the known entries, whichever is greater")
		flags.StringVar(&m.conflict, "conflict", "both", "content to keep if both sides have changed: both, local or remote")
		flags.BoolVar(&m.byContent, "by-content", false, "compare the content of each file, even if the file appears unchanged")
		completeWith(direction, "conflict", words("both", "local", "remote"))
		completeWith(direction, "max-delete", words())
	}
	pull.Flags().BoolVar(&f.force, "force", false, "replace local files that have changed")
	c.AddCommand(pull, push)
	return c
}

// mirrored is the line that practice files mirror prints for a file or folder.
type mirrored struct {
	Action mirror.Action `json:"action"`
	Path   string        `json:"path"` // with a slash behind that of a folder
	Size   int64         `json:"size"`
	Error  string        `json:"error,omitempty"`
	From   string        `json:"from,omitempty"` // path before a move
	Copy   string        `json:"copy,omitempty"` // path of the local content after a conflict
	ID     string        `json:"id,omitempty"`
}

// run makes the plan, or carries it out. args are the matter, the path and the
// local folder.
func (m *mirroring) run(ctx context.Context, push bool, call mirrorFunc, args []string) (err error) {
	planned := !m.yes || m.dryRun
	m.wide, m.dryRun = true, false
	if _, known := choices[m.conflict]; !known {
		return misuse{fmt.Errorf("--conflict: %q is not one of both, local, remote", m.conflict)}
	}
	if m.printer, err = m.printerOf(reflect.TypeFor[mirrored](), 4); err != nil {
		return err
	}
	if there, err := os.Stat(args[2]); push && (err != nil || !there.IsDir()) {
		return misuse{fmt.Errorf("%s is not a local folder", args[2])}
	}
	if err := m.open(ctx, args[0], push && !planned); err != nil {
		return err
	}
	folder, err := m.at(strings.TrimSuffix(args[1], "/") + "/")
	if err != nil {
		return phaseSend.of(err)
	}
	told := m.progress()
	options := mirror.Options{
		FolderID: entryOf(folder).ID(), Delete: m.remove, MaxDelete: m.maxDelete, Overwrite: m.force, ByContent: m.byContent, DryRun: planned,
		Conflict: func(string, *models.File) mirror.Choice { return choices[m.conflict] }, Exclude: mirror.SystemFiles, Result: m.result,
	}
	if !planned {
		options.Progress = told.tell
	}
	failed := call(ctx, m.client, m.matter, args[2], options)
	if planned && errors.Is(failed, mirror.ErrTooManyDeletions) { // the plan is for a person to see
		options.MaxDelete = -1
		failed = errors.Join(failed, call(ctx, m.client, m.matter, args[2], options))
	}
	told.end()
	return m.end(planned, failed)
}

// result prints the line of a file, unless it stays as it is.
func (m *mirroring) result(r mirror.Result) {
	if m.counts == nil {
		m.counts = map[mirror.Action]int{}
	}
	m.counts[r.Action]++
	row := mirrored{Action: r.Action, Path: r.Path, Size: r.Size, From: r.From, Copy: r.Copy, ID: r.ID}
	switch r.Action {
	case mirror.Kept:
		return
	case mirror.Created, mirror.Updated, mirror.Resumed, mirror.Conflict:
		m.bytes += r.Size
	}
	if r.IsDir {
		row.Path += "/"
	}
	if r.Err != nil {
		row.Error = m.masked(m.errors(r.Err))
	}
	if m.broken == nil {
		m.broken = m.printer.record(encode(row))
	}
}

// end ends the output with the number of files by action.
func (m *mirroring) end(planned bool, failed error) error {
	m.broken = m.printer.end(m.broken)
	var parts []string
	for action, n := range m.counts {
		parts = append(parts, fmt.Sprintf("%d %s", n, action))
	}
	slices.Sort(parts)
	text := strings.Join(parts, ", ")
	switch {
	case len(parts) == 0:
	case planned:
		m.note("Plan: %s; %s. Nothing was changed. Use --yes to carry out the plan.", text, bytesText(m.bytes))
	default:
		m.note("Done: %s; %s.", text, bytesText(m.bytes))
	}
	if has[*mirror.Error](failed) {
		failed = unfinished{failed}
	}
	return errors.Join(phaseSend.of(failed), phaseShow.of(m.broken))
}
