package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/benchmarks/internal/feed"
	"github.com/practicesdk/practice-go/benchmarks/internal/report"
	"github.com/practicesdk/practice-go/mirror"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// letterSize is the size in bytes of each small file.
const letterSize = 20_000

// moveManyFiles measures the transfer of many small files. It mostly waits,
// because each file takes two exchanges.
func moveManyFiles(r run) (report.Table, error) {
	m := &manyFiles{latency: 60 * time.Millisecond, count: choose(r, 1000, 24), alone: choose(r, 100, 4)}
	table := report.Table{
		Title: fmt.Sprintf("%d files of 20 KB over %s of latency", m.count, m.latency),
		Intro: fmt.Sprintf("The embedded service and its object store, each answer %s late. mirror.Push and mirror.Pull have their %d files in flight, "+
			"and also list what is there; UploadFile and DownloadFile in a loop are one after another, %d of the files.",
			m.latency, mirror.DefaultConcurrency, m.alone),
		Header: []string{"", "files", "time", "a file", "ratio"},
	}
	err := inTemporaryDir(m.run)
	if err != nil {
		return table, err
	}
	for i := 0; i < len(m.ways); i += 2 {
		loop, dir := m.ways[i], m.ways[i+1]
		for _, way := range []movedFiles{loop, dir} {
			table.Rows = append(table.Rows, []string{
				way.name, report.Number(float64(way.files)), report.Duration(float64(way.took)), report.Duration(way.each()),
				report.Number(loop.each() / way.each()),
			})
		}
		table.Figures = append(table.Figures, report.AtLeast(dir.name+", of the speed of one after another", 7, loop.each()/dir.each(), " times"))
	}
	return table, nil
}

// manyFiles uploads and downloads a folder.
type manyFiles struct {
	latency      time.Duration
	count, alone int
	client       *practice.Client
	matter       string
	ways         []movedFiles // pairs of ways: one file at a time, and a whole folder
}

// movedFiles holds the measurements of one way to transfer the files.
type movedFiles struct {
	name  string
	files int
	took  time.Duration
}

func (m movedFiles) each() float64 { return float64(m.took) / float64(m.files) }

func (m *manyFiles) run(dir string) (err error) {
	server, err := practicetest.Start(practicetest.WithEvents(0), practicetest.WithMatters(2), practicetest.WithWriteDelay(0))
	if err != nil {
		return err
	}
	defer func() {
		if closed := server.Close(); err == nil {
			err = closed
		}
	}()
	m.matter = server.Firm().MatterID
	m.client, err = practice.NewClient(server.BaseURL(), practice.WithAPIKey(server.Credentials().APIKey),
		practice.WithAccessToken(server.Credentials().AccessToken))
	if err != nil {
		return err
	}
	defer m.client.CloseIdleConnections()
	server.Inject(practicetest.Fault{Kind: practicetest.FaultLatency, Delay: m.latency, Times: -1})
	return m.both(dir)
}

func (m *manyFiles) both(dir string) error {
	local, copied := filepath.Join(dir, "local"), filepath.Join(dir, "copy")
	if err := m.write(local); err != nil {
		return err
	}
	ctx, documents := context.Background(), m.client.Documents
	apart, err := documents.EnsureFolder(ctx, m.matter, models.FolderWrite{Name: "One after another"}, practice.EnsureFolderOptions{})
	if err != nil {
		return err
	}
	together, err := documents.EnsureFolder(ctx, m.matter, models.FolderWrite{Name: "Together"}, practice.EnsureFolderOptions{})
	if err != nil {
		return err
	}
	ids := make([]string, m.alone)
	return errors.Join(
		m.take("UploadFile, one after another", m.alone, func() error {
			return m.each(func(i int) error {
				file, err := documents.UploadFile(ctx, m.matter, letter(local, i), practice.Upload{FolderID: apart})
				if err == nil {
					ids[i] = file.ID
				}
				return err
			})
		}),
		m.take("mirror.Push", m.count, func() error {
			return mirror.Push(ctx, m.client, m.matter, local, mirror.Options{FolderID: together})
		}),
		m.take("DownloadFile, one after another", m.alone, func() error {
			return m.each(func(i int) error {
				_, err := documents.DownloadFile(ctx, m.matter, ids[i], letter(dir, i), practice.DownloadOptions{})
				return err
			})
		}),
		m.take("mirror.Pull", m.count, func() error {
			return mirror.Pull(ctx, m.client, m.matter, copied, mirror.Options{FolderID: together})
		}),
		m.check(local, copied),
	)
}

func letter(dir string, number int) string {
	return filepath.Join(dir, fmt.Sprintf("Letter %04d.pdf", number))
}

// write creates the files, each with different content.
func (m *manyFiles) write(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	var text bytes.Buffer
	for i := range m.count {
		text.Reset()
		if err := feed.WriteContent(&text, int64(i), int64(i)+letterSize); err != nil {
			return err
		}
		if err := os.WriteFile(letter(dir, i), text.Bytes(), 0o600); err != nil {
			return err
		}
	}
	return nil
}

func (m *manyFiles) each(work func(i int) error) error {
	for i := range m.alone {
		if err := work(i); err != nil {
			return err
		}
	}
	return nil
}

func (m *manyFiles) take(name string, files int, work func() error) error {
	started := time.Now()
	if err := work(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	m.ways = append(m.ways, movedFiles{name, files, time.Since(started)})
	return nil
}

// check compares the uploaded files with the downloaded ones.
func (m *manyFiles) check(local, copied string) error {
	for i := range m.count {
		sent, err := os.ReadFile(letter(local, i))
		if err != nil {
			return err
		}
		came, err := os.ReadFile(letter(copied, i))
		if err != nil {
			return err
		}
		if !bytes.Equal(sent, came) {
			return fmt.Errorf("letter %d came back with other content", i)
		}
	}
	return nil
}
