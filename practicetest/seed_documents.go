package practicetest

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

var (
	folderNames = [...]string{"Letters", "Contracts", "Court", "Evidence"}
	fileNames   = [...]string{"1. Agenda.docx", "Contract of sale (signed).pdf", "Re: settlement — offer ✉.msg", "Notes.txt", "Scan 2026-04.pdf", "LICENCE"}
)

// seed creates the folders and files of a matter. The first matter also has a
// folder with several pages of entries, and nested folders.
func (d *documents) seed(sd *seeder, m *record, number int) {
	var letters, agenda *record
	for k, name := range folderNames {
		one := d.seedFolder(sd, m, name, "", nil)
		for n := range 1 + k%2 {
			file := d.seedFile(sd, m, fileNames[(k+n)%len(fileNames)], one.id, true)
			if k == 0 {
				letters, agenda = one, file
			}
		}
	}
	remade(d.seedFile(sd, m, fileNames[0], "", true), agenda)
	d.seedFile(sd, m, fileNames[1], "", true)
	if number > 0 {
		return
	}
	var last *record
	for year := range 3 {
		last = d.seedFolder(sd, m, strconv.Itoa(2024+year), letters.id, last)
		d.seedFile(sd, m, "Draft.docx", d.seedFolder(sd, m, "Drafts", last.id, nil).id, true)
	}
	for n := range 20 {
		d.seedFile(sd, m, fmt.Sprintf("Letter %02d.pdf", n+1), letters.id, true)
	}
	d.seedFile(sd, m, "Not uploaded.pdf", letters.id, false)
}

// seedFolder creates a folder. If source is not nil, the history records that
// the folder is a copy of it.
func (d *documents) seedFolder(sd *seeder, m *record, name, in string, source *record) *record {
	r := sd.add(m.account, d.folders, fields{"name": name, "in": in}, m.id)
	line := lineOf(nil, r, sd.now)
	if source != nil {
		line.change, line.copied = "Copy", source.id
	}
	r.data = kept{log: []logEntry{line}}
	return r
}

// remade changes the history of r so that it was copied from source and then
// moved.
func remade(r, source *record) {
	p := keptOf(r)
	moved := p.log[0]
	p.log[0].change, p.log[0].copied, p.log[0].newIn = "Copy", source.id, source.fields.str("in")
	moved.change, moved.oldName, moved.oldIn = "Move", moved.newName, source.fields.str("in")
	p.log = append(p.log, moved)
	r.data = p
}

// seedFile creates a file. If uploaded is set, its content is a few lines of
// text.
func (d *documents) seedFile(sd *seeder, m *record, fileName, in string, uploaded bool) *record {
	name, extension := splitName(fileName)
	created := sd.past(300)
	f := fields{
		"name": name, "fileExtension": extension, "in": in, "ownerId": sd.user(m.account, 0), "isFavorite": sd.rand.IntN(5) == 0,
		"dateCreated": created, "dateModified": created.Add(sd.now.Sub(created) / 3).Truncate(100),
		"additionalData": json.RawMessage(`{"source":"scanner","pageCount":` + strconv.Itoa(1+sd.rand.IntN(40)) + `,"isSigned":false}`),
	}
	if extension == ".msg" {
		f["to"], f["from"], f["isDuplicate"] = `a@example.test; "B, C" <b@example.test>`, "lawyer@firm.example.test", true
		f["additionalData"] = json.RawMessage(`{"source":{"app":"mail","ids":[1,2,3]},"pageCount":null,"ticks":638912345678901234,"ratio":0.1,"isSigned":true}`)
	}
	r, p := sd.add(m.account, d.files, f, m.id), kept{}
	content := []byte(strings.Repeat(m.fields.str("title")+": "+fileName+"\n", 1+sd.rand.IntN(40)))
	if uploaded {
		version := fileVersion{id: sd.newID("version of a file"), size: int64(len(content))}
		version.key = m.account.id + "/" + r.id + "/" + version.id
		sd.objects.Put(version.key, content)
		p.versions = []fileVersion{version}
	}
	r.data = p
	p.log = []logEntry{lineOf(nil, r, created)}
	r.data = p
	return r
}
