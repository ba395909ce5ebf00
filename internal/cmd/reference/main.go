// Command reference writes the pages of docs/reference: a page for each area,
// with a sample of each operation. Its sources are the description, the
// registry of operations, the examples of the command line, and recorded
// responses. go generate in the root of the repository runs it.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/practicesdk/practice-go/internal/cmd/generated"
	"github.com/practicesdk/practice-go/internal/description"
)

const program = generated.Program("reference")

func main() {
	root, err := generated.Root()
	if err == nil {
		err = run(context.Background(), root)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "reference:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, root string) error {
	pages, err := reference(ctx, root)
	if err != nil {
		return err
	}
	return program.Replace(filepath.Join(root, "docs", "reference"), "*.md", pages)
}

// reference returns a page for each area, an index of these
// pages, and a page with all operations.
func reference(ctx context.Context, root string) (map[string][]byte, error) {
	d, err := description.Load(os.DirFS(filepath.Join(root, "api")))
	if err != nil {
		return nil, err
	}
	samples, err := samplesOf(ctx, d, os.DirFS(root))
	if err != nil {
		return nil, err
	}
	if err := uncalled(d, samples); err != nil {
		return nil, err
	}
	pages := map[string][]byte{}
	index := &page{links: links{d}}
	index.line("%s", intro)
	for _, a := range d.Areas {
		p := &page{area: a, links: links{d}, samples: samples}
		if !p.write() {
			continue
		}
		pages[a.File+".md"] = p.text.Bytes()
		index.line("- [%s](%s.md): %s", a.Name, a.File, text(a.Doc))
	}
	pages["README.md"] = index.text.Bytes()
	pages["covered.md"] = covered(d)
	pages["copied.md"] = copied(d)
	return pages, nil
}

// uncalled returns an error for an operation without a sample, whose
// section would be empty.
func uncalled(d *description.Document, samples map[string]sample) error {
	for o := range d.Operations() {
		if _, called := samples[o.ID]; !called {
			return fmt.Errorf("zz_operations.go has no %s, so its section would be empty: run .ci/generate", o.ID)
		}
	}
	return nil
}

const intro = `# Reference

These pages list the operations of the client, area by area. They follow from the description in
[api](../../api/README.md). [What is covered](covered.md) lists all operations in one table for each area: look up a
method, a path or an operation id there. [What a copy contains](copied.md) lists the kinds of record that a copy in a
database can have.

Each operation has a sample:

- the call in Go. ` + "`ctx`" + ` is a context, ` + "`client`" + ` a ` + "`*practice.Client`" + `, and a name such as ` + "`matterID`" + ` the id of a record.
  The name of the method above it leads to its documentation.
- the same operation on [the command line](../cli.md), where it runs as it stands on a sandbox of its own.
- the request that the call sends, and a response with every known member. A response of the embedded service is marked
  as such. A list is shown with one record.

The tables use the types of the description. ` + "`uuid`" + ` is the form of the service's ids; the client accepts any id that fits
into a path, and the service rejects an unknown one.
`
