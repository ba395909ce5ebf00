package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/filenames"
	"github.com/practicesdk/practice-go/internal/spelling"
	"github.com/practicesdk/practice-go/models"
)

// files holds the flags of practice files, and the matter whose files it moves.
type files struct {
	*app
	recursive, force, replace, parents bool

	client       *practice.Client
	firm, matter string // address and id
	tree         *practice.MatterFS
}

// aboutFiles is part of the help of each command.
const aboutFiles = "MATTER is a matter's number or id. PATH is a path in the matter, as printed by practice files ls. If several entries in a folder have " +
	"the same name, part of each entry's id is added to its path. The path / is the matter's root folder."

func (a *app) filesCommand() *cobra.Command {
	f := &files{app: a}
	c := &cobra.Command{Use: "files", Short: "List, read, send and mirror a matter's files", Long: "Lists, reads, sends and mirrors a matter's files. " + aboutFiles, Args: noSuchCommand, RunE: showHelp}
	ls := f.command("ls MATTER [PATH]", "List a folder, or describe a file", "", "practice --sandbox files ls 10001 Letters", 0, f.ls)
	ls.Flags().BoolVarP(&f.recursive, "recursive", "R", false, "also list the contents of subfolders")
	cat := f.command("cat MATTER PATH", "Print the content of a file",
		"On a terminal, the command prints only text, without control characters.", "practice --sandbox files cat 10001 Letters/2024/Drafts/Draft.docx", 0, f.cat)
	get := f.command("get MATTER PATH [LOCAL]", "Save a file",
		"LOCAL is a file, a folder, or - for stdout. If you omit LOCAL, the file is saved in the current folder, under a name that is valid on every operating system. "+
			"The file has a temporary name until it is complete. To continue an interrupted download, run the same command again.",
		"practice --sandbox files get 10001 'Letters/Letter 01.pdf' letter.pdf", 3, f.get)
	get.Flags().BoolVar(&f.force, "force", false, "replace an existing local file once the download is complete")
	put := f.command("put MATTER LOCAL [PATH]", "Send a file",
		"LOCAL is a file, or - for stdin. PATH is the destination folder, or the new path of the file. The command ends once the service lists the file. "+
			"If the file already exists without content, for example after an interruption, the command sends the content and does not create a second file.",
		"practice --sandbox files put 10001 letter.pdf Letters/", 2, f.put)
	put.Flags().BoolVar(&f.replace, "replace", false, "if a file with this name exists, add a new version to it; the service keeps the old version")
	put.Flags().BoolVar(&f.parents, "parents", false, "create missing folders")
	c.AddCommand(ls, cat, get, put, f.mirrorCommand())
	return c
}

// command returns a command whose argument at a position, from 1, is a local
// file.
func (f *files) command(use, short, long, example string, local int, run func(context.Context, []string) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Long: strings.TrimPrefix(short+". "+long, ". ") + "\n\n" + aboutFiles, Example: example, Args: takes, PreRunE: f.really,
		RunE: func(c *cobra.Command, args []string) error { return run(c.Context(), args) },
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args)+1 == local {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return nil, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// open makes the client and finds the matter. A read-only profile refuses a
// write before anything is sent.
func (f *files) open(ctx context.Context, number string, writes bool) error {
	t, err := f.target(ctx)
	if err == nil && writes && t.ReadOnly {
		err = readOnlyError{t}
	}
	if err == nil {
		f.client, err = f.app.client(t)
	}
	if err != nil {
		return phaseCheck.of(err)
	}
	f.firm = t.BaseURL + " " + t.AccountID
	f.matter, err = f.matterOf(ctx, number)
	f.tree = f.client.Documents.FS(ctx, f.matter)
	return phaseSend.of(err)
}

// notFoundError reports what the service does not have.
type notFoundError struct{ error }

func (notFoundError) Is(target error) bool { return target == practice.ErrNotFound }

// matterOf returns the id of the matter with a number, which need not be unique.
func (f *files) matterOf(ctx context.Context, number string) (string, error) {
	if len(number) == len(uuid.Nil.String()) && uuid.Validate(number) == nil {
		return number, nil
	}
	var ids, named []string
	for m, err := range f.client.Matters.All(ctx, practice.MatterListOptions{Search: number, Type: models.MatterListTypeMattersLeads}) {
		switch {
		case err != nil:
			return "", err
		case strings.EqualFold(m.Number, number) && !practice.IsDeleted(m):
			ids, named = append(ids, m.ID), append(named, fmt.Sprintf("%s (%s)", m.ID, m.Title))
		}
	}
	switch len(ids) {
	case 0:
		return "", notFoundError{fmt.Errorf("no matter has the number %q; run %s to search numbers, clients and descriptions", number, f.with("practice matters list --search "+quoted(number)))}
	case 1:
		return ids[0], nil
	}
	return "", fmt.Errorf("%d matters have the number %q; use one of their ids: %s", len(ids), number, strings.Join(named, ", "))
}

// inTree returns a path of the command line as one of the tree.
func inTree(name string) string {
	if name = path.Clean("/" + name)[1:]; name != "" {
		return name
	}
	return "."
}

// at returns the file or folder at a path. A slash at its end means a folder.
func (f *files) at(name string) (fs.FileInfo, error) {
	info, err := f.tree.Stat(inTree(name))
	switch {
	case absent(err):
		return nil, f.missing(inTree(name))
	case err != nil:
		return nil, ofService(err)
	case strings.HasSuffix(name, "/") && !info.IsDir():
		return nil, misuse{fmt.Errorf("%q is a file, not a folder", name)}
	}
	return info, nil
}

// absent reports whether a path of the tree is not there, although its matter
// is.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) && !errors.Is(err, practice.ErrNotFound)
}

// ofService returns the error of the service in an error of the tree.
func ofService(err error) error {
	if refused, ok := errors.AsType[*practice.Error](err); ok {
		return refused
	}
	return err
}

// missing returns the error for a path that is not there, with what may be
// meant: entries whose name in the service is the one of the path.
func (f *files) missing(name string) error {
	folder, last := path.Dir(name), path.Base(name)
	if info, err := f.tree.Stat(folder); err == nil && !info.IsDir() {
		return misuse{fmt.Errorf("%q is a file, not a folder", folder)}
	}
	entries, err := f.tree.ReadDir(folder)
	switch {
	case absent(err):
		return f.missing(folder)
	case err != nil && len(entries) == 0:
		return ofService(err)
	}
	where := "the matter"
	if folder != "." {
		where = fmt.Sprintf("%q", folder)
	}
	var names, twins []string
	for _, entry := range entries {
		names = append(names, entry.Name())
		if filenames.SameForm(nameOf(entry), last) {
			twins = append(twins, path.Join(folder, entry.Name()))
		}
	}
	if len(twins) > 0 {
		return fmt.Errorf("the name %q in %s is ambiguous: choose one of %q", last, where, twins)
	}
	return notFoundError{fmt.Errorf("%q does not exist in %s%s", last, where, spelling.DidYouMean(last, names))}
}

// entryOf returns the folder or file in the service; the whole matter is
// neither.
func entryOf(info any) (e practice.Entry) {
	switch record := info.(fs.FileInfo).Sys().(type) {
	case *models.Folder:
		e.Folder = record
	case *models.File:
		e.File = record
	}
	return e
}

func nameOf(info any) string { return entryOf(info).Name() }

// listedFile is the line that practice files ls prints for a file or folder.
type listedFile struct {
	Path     string `json:"path"`           // with a slash behind that of a folder
	Size     *int64 `json:"size,omitempty"` // in bytes
	Modified string `json:"modified,omitempty"`
	ID       string `json:"id"`
}

func listed(name string, info fs.FileInfo) listedFile {
	e := entryOf(info)
	l := listedFile{Path: name, ID: e.ID()}
	if at := info.ModTime(); !at.IsZero() {
		l.Modified = at.Format(time.RFC3339)
	}
	if e.File == nil {
		l.Path += "/"
	} else if size, known := e.File.SizeBytes.Get(); known {
		l.Size = &size
	}
	return l
}

// ls prints the entries of a folder, or a file. Paths are never cut.
func (f *files) ls(ctx context.Context, args []string) error {
	f.wide = true
	printer, err := f.printerOf(reflect.TypeFor[listedFile](), 3)
	if err == nil {
		err = f.open(ctx, args[0], false)
	}
	if err != nil {
		return err
	}
	root := strings.Join(args[1:], "")
	if _, err := f.at(root); err != nil {
		return phaseSend.of(err)
	}
	root = inTree(root)
	var unread error
	err = fs.WalkDir(f.tree, root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && ctx.Err() != nil:
			return phaseSend.of(err)
		case err != nil:
			unread = errors.Join(unread, err)
			return nil
		}
		if name != root || !d.IsDir() {
			info, err := f.tree.Stat(name)
			if err == nil {
				err = phaseShow.of(printer.record(encode(listed(name, info))))
			}
			if err != nil {
				return err
			}
		}
		if d.IsDir() && name != root && !f.recursive {
			return fs.SkipDir
		}
		return nil
	})
	switch {
	case err != nil || unread == nil:
	case printer.read == 0:
		err = phaseSend.of(ofService(unread))
	default:
		err = phaseRead.of(incomplete{unread})
	}
	return phaseShow.of(printer.end(err))
}
