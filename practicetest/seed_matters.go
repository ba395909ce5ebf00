package practicetest

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

var (
	matterKinds = [...]string{"Sale", "Purchase", "Lease", "Estate", "Family", "Litigation"}
	folderNames = [...]string{"Letters", "Contracts", "Court", "Evidence"}
	fileNames   = [...]string{"1. Agenda.docx", "Contract of sale (signed).pdf", "Re: settlement — offer ✉.msg", "Notes.txt", "Scan 2026-04.pdf", "LICENCE"}
)

// matter makes a matter with its clients and a role.
func (sd *seeder) matter(a *account, i int) *matter {
	kind := matterKinds[i%len(matterKinds)]
	client := a.contacts[i%len(a.contacts)]
	m := &matter{
		id: sd.ids.next(), account: a, number: strconv.Itoa(10001 + i), title: client.lastName + " | " + kind,
		description: kind, status: "Open", matterType: sd.ids.next() + "_IL", clients: []*contact{client},
	}
	m.root = &folder{matter: m}
	a.matters = append(a.matters, m)
	sd.matters[m.id] = m
	r := &role{id: sd.ids.next(), matter: m, version: sd.ids.next(), relationships: []relationship{
		{sd.ids.next(), "Solicitor", client, []*contact{a.contacts[(i+1)%len(a.contacts)]}},
		{id: sd.ids.next(), name: "Attorney"},
	}}
	m.roles = append(m.roles, r)
	sd.roles[r.id] = r
	return m
}

// documents makes the folders and files of a matter; a rich one has a folder to
// page through, and folders below folders.
func (sd *seeder) documents(m *matter, rich bool) {
	for i, name := range folderNames {
		f := sd.addFolder(m.root, name)
		for k := range 1 + i%2 {
			sd.file(f, fileNames[(i+k)%len(fileNames)])
		}
	}
	for _, name := range fileNames[:2] {
		sd.file(m.root, name)
	}
	if !rich {
		return
	}
	first := m.root.folders[0]
	for i := range 3 {
		year := sd.addFolder(first, strconv.Itoa(2024+i))
		sd.file(sd.addFolder(year, "Drafts"), "Draft.docx")
	}
	for i := range 20 {
		sd.file(first, fmt.Sprintf("Letter %02d.pdf", i+1))
	}
	waiting := sd.file(first, "Not uploaded.pdf")
	waiting.versions = nil
}

// file makes a file with some lines of text as its content.
func (sd *seeder) file(in *folder, fileName string) *file {
	name, extension := splitName(fileName)
	f := &file{
		id: sd.ids.next(), folder: in, name: name, extension: extension, owner: in.matter.account.staff[0].userID,
		created: sd.past(300), favorite: sd.ids.IntN(5) == 0,
		extra: json.RawMessage(`{"source":"scanner","pageCount":` + strconv.Itoa(1+sd.ids.IntN(40)) + `,"isSigned":false}`),
	}
	f.modified = f.created.Add(sd.now.Sub(f.created) / 3).Truncate(100)
	if extension == ".msg" {
		f.to, f.from, f.duplicate = new(`a@example.test; "B, C" <b@example.test>`), new("lawyer@firm.example.test"), true
		f.extra = json.RawMessage(`{"source":{"app":"mail","ids":[1,2,3]},"pageCount":null,"ticks":638912345678901234,"ratio":0.1,"isSigned":true}`)
	}
	version := fileVersion{id: sd.ids.next()}
	version.key = in.matter.account.id + "/" + f.id + "/" + version.id
	content := []byte(strings.Repeat(in.matter.title+": "+fileName+"\n", 1+sd.ids.IntN(40)))
	sd.server.store.put(version.key, content)
	version.size = int64(len(content))
	f.versions = []fileVersion{version}
	in.files = append(in.files, f)
	sd.files[f.id] = f
	return f
}

// guard makes the policies: one of each matter, one of each user.
func (sd *seeder) guard(a *account) {
	for _, m := range a.matters {
		resource := new("matters/" + m.id)
		sd.policies[m.id] = &policy{account: a, id: sd.ids.next(), reference: m.id, resource: m.id, rules: []wireRule{
			{new(a.staff[0].userID), resource, "Access", 1},
			{new(a.staff[3].userID), resource, "Access", 0},
		}}
	}
	for _, user := range a.staff[:2] {
		sd.policies[user.userID] = &policy{account: a, id: sd.ids.next(), reference: user.userID, principal: user.userID, rules: []wireRule{
			{nil, new("matters/" + a.matters[0].id), "Access", 1},
			{nil, new("matters"), "Execute", 1},
		}}
	}
}
