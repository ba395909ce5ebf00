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

// seed makes the folders and files of a matter; the first matter has a folder to page
// through, and folders below folders.
func (d *documents) seed(sd *seeder, m *record, number int) {
	folder := func(name, in string) string {
		return sd.add(m.account, d.folders, fields{"name": name, "in": in}, m.id).id
	}
	file := func(name, in string) { d.seedFile(sd, m, name, in, true) }
	first := ""
	for k, name := range folderNames {
		one := folder(name, "")
		if k == 0 {
			first = one
		}
		for n := range 1 + k%2 {
			file(fileNames[(k+n)%len(fileNames)], one)
		}
	}
	for _, name := range fileNames[:2] {
		file(name, "")
	}
	if number > 0 {
		return
	}
	for year := range 3 {
		file("Draft.docx", folder("Drafts", folder(strconv.Itoa(2024+year), first)))
	}
	for n := range 20 {
		file(fmt.Sprintf("Letter %02d.pdf", n+1), first)
	}
	d.seedFile(sd, m, "Not uploaded.pdf", first, false)
}

// seedFile makes a file with some lines of text as its content.
func (d *documents) seedFile(sd *seeder, m *record, fileName, in string, uploaded bool) {
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
	r := sd.add(m.account, d.files, f, m.id)
	content := []byte(strings.Repeat(m.fields.str("title")+": "+fileName+"\n", 1+sd.rand.IntN(40)))
	if !uploaded {
		return
	}
	version := fileVersion{id: sd.newID("version of a file"), size: int64(len(content))}
	version.key = m.account.id + "/" + r.id + "/" + version.id
	sd.server.store.put(version.key, content)
	r.data = []fileVersion{version}
}
