package assistant

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
)

// everything returns a policy that allows all writes that can be allowed.
func everything(t testing.TB) *Policy {
	p, err := NewPolicy(Allowable(), "")
	require.NoError(t, err)
	return p
}

// TestEveryOperationHasADecision compares the decision about each operation in
// api/ with what is refused for its type.
func TestEveryOperationHasADecision(t *testing.T) {
	t.Parallel()
	p := everything(t)
	for _, o := range p.operations {
		switch decided, reason := decision(o.ID), p.never(o); {
		case decided == unknown:
			t.Errorf("api: no decision on %s for assistants\nadd assistants: allowed, or the reason why not (api/README.md)", o.ID)
		case decided != reason:
			t.Errorf("api: the decision on %s for assistants is %q\nits type says: %s", o.ID, decided, reason)
		}
	}
}

// TestAnOperationWithoutFactsIsRefused checks operations that a later
// description may have.
func TestAnOperationWithoutFactsIsRefused(t *testing.T) {
	t.Parallel()
	p := everything(t)
	memo, _ := p.named("createMemo")
	read, _ := p.named("getMemo")
	for name, change := range map[string]func(o *practice.Operation){
		"no decision": func(o *practice.Operation) { o.ID = "getRobot" },
		"a new class": func(o *practice.Operation) { o.Class = "listen" },
		"no class":    func(o *practice.Operation) { o.Class = "" },
		"a file":      func(o *practice.Operation) { o.Media = "application/pdf" },
		"an address":  func(o *practice.Operation) { *o, _ = p.named("getFileDownload") },
		"a new write": func(o *practice.Operation) { o.ID, o.Class = "shareMemo", practice.OperationCreate },
		"a new deletion": func(o *practice.Operation) {
			o.ID, o.Class, o.Method = "createMemo", practice.OperationIdempotentWrite, "DELETE"
		},
		"a read of no type": func(o *practice.Operation) { o.Class, o.Answer = practice.OperationRead, "" },
		"a scope that writes": func(o *practice.Operation) {
			o.Class, o.Answer, o.Scope = practice.OperationRead, "models.Memo", "memos/write"
		},
	} {
		for _, o := range []practice.Operation{memo, read} {
			change(&o)
			assert.NotEmpty(t, p.refusal(o, nil), name)
		}
	}
}

func TestBodiesThatDeleteOrInviteAreRefused(t *testing.T) {
	t.Parallel()
	p := everything(t)
	for _, c := range []struct{ id, body, reason string }{
		{"patchMatter", `{"status":"Deleted"}`, deletes},
		{"patchMatter", `{"STATUS":"deleted"}`, deletes},
		{"patchMatter", `{"status":"Closed"}`, ""},
		{"updateContact", `{"isDeleted":true}`, deletes},
		{"updateContact", `{"isDeleted":false}`, ""},
		{"patchFolder", `{"name":"x","isDeleted":true}`, deletes},
		{"patchMatterLayout", `{"isRemoved":true}`, deletes},
		{"patchMatter", `{"items":{"Client":[{"isRemoved":true}]}}`, deletes},
		{"createEvent", `{"externalAttendees":["x"]}`, sends},
		{"createEvent", `{"externalAttendees":[]}`, ""},
		{"createMemo", `{`, "the body is not valid JSON"},
		{"createMemo", `{"title":"isDeleted","text":"true"}`, ""},
	} {
		o, err := p.named(c.id)
		require.NoError(t, err, c.id)
		assert.Equal(t, c.reason, p.refusal(o, []byte(c.body)), c.id+c.body)
	}
}

func TestIDsThatCannotBeAllowed(t *testing.T) {
	t.Parallel()
	for id, says := range map[string]string{
		"deleteMemo": deletes, "createRequisition": "moves money", "sendPortalMessage": sends, "createUser": "grants or revokes access",
		"createWebhook": "sends data out", "createFile": isSecret, "getMemo": "does not require --allow", "createMem": "did you mean createMemo", "create*": "unknown operation", "": "unknown operation",
	} {
		_, err := NewPolicy([]string{id}, "")
		assert.ErrorContains(t, err, says, id)
	}
}

func TestATokenNeedsReadScopesAndThoseOfTheWrites(t *testing.T) {
	t.Parallel()
	reads, err := NewPolicy(nil, "")
	require.NoError(t, err)
	for _, scope := range reads.Scopes() {
		assert.True(t, strings.HasSuffix(scope, "/read") || scope == "search/write", scope)
	}
	one, err := NewPolicy([]string{"createMemo"}, "")
	require.NoError(t, err)
	assert.Equal(t, []string{"memos/write"}, slices.DeleteFunc(one.Scopes(), func(s string) bool { return slices.Contains(reads.Scopes(), s) }))
}

var update = flag.Bool("update", false, "write the table of docs/assistants.md anew")

const guide = "../../../../docs/assistants.md"

// TestTheDocumentationHasTheTable compares the table of docs/assistants.md with
// the decisions. -update writes it anew.
func TestTheDocumentationHasTheTable(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(guide)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), "| Decision |")
	require.True(t, found)
	want := before + table(everything(t)) + rest[strings.Index(rest, "|\n\n")+2:]
	if *update {
		require.NoError(t, os.WriteFile(guide, []byte(want), 0o600))
		return
	}
	if want != string(text) {
		t.Error("docs/assistants.md: the table is not that of the decisions\nrun .ci/generate")
	}
}

// table returns what assistants can and cannot do: the ids of the writes, and
// the areas of everything else.
func table(p *Policy) string {
	type row struct {
		count int
		names []string
	}
	rows := map[string]*row{}
	for _, o := range p.operations {
		use, name := p.use(o), o.Area()
		switch use {
		case "read", "list":
			use = "can be read"
		case "preview_write, then write":
			use, name = "can be written with `--allow`", "`"+o.ID+"`"
		}
		if rows[use] == nil {
			rows[use] = &row{}
		}
		rows[use].count++
		if !slices.Contains(rows[use].names, name) {
			rows[use].names = append(rows[use].names, name)
		}
	}
	var b strings.Builder
	b.WriteString("| Decision | Operations | Which |\n|---|---|---|\n")
	for _, use := range slices.Sorted(maps.Keys(rows)) {
		fmt.Fprintf(&b, "| %s | %d | %s |\n", use, rows[use].count, strings.Join(rows[use].names, ", "))
	}
	return b.String()
}
