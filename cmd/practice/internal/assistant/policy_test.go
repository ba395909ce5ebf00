package assistant

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
)

// everything returns a policy that allows all writes that can be allowed.
func everything(t testing.TB) *Policy {
	p, err := NewPolicy(Allowable(), "")
	require.NoError(t, err)
	return p
}

// TestEveryOperationHasADecision compares the decision about each operation with
// a list that a person has read. An operation that is added needs a line.
func TestEveryOperationHasADecision(t *testing.T) {
	t.Parallel()
	p := everything(t)
	var decided []string
	for _, o := range p.operations {
		use := p.use(o)
		decided = append(decided, o.ID+": "+use)
	}
	testkit.AssertLines(t, "testdata/decisions.txt", "decide in policy.go what an assistant may do with it, and add the line", decided)
	for _, line := range decided {
		if strings.Contains(line, unknown) {
			t.Errorf("policy.go: no decision on %s\nadd its area, or its id to the writes that can be allowed", line)
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
		"a new area":  func(o *practice.Operation) { o.GoMethod = "Robots.Get" },
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
		"a write of the firm": func(o *practice.Operation) {
			o.ID, o.GoMethod, o.Class = "createMemo", "Firm.Update", practice.OperationCreate
		},
		"a write of an object": func(o *practice.Operation) {
			o.ID, o.GoMethod, o.Class = "createMemo", "Webhooks.Create", practice.OperationCreate
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
		"deleteMemo": deletes, "createRequisition": moves, "sendPortalMessage": sends, "createUser": givesAccess, "createWebhook": flowsOut,
		"createFile": isSecret, "getMemo": "does not require --allow", "createMem": "did you mean createMemo", "create*": "unknown operation", "": "unknown operation",
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

// TestTheDocumentationHasTheTable compares the table of docs/assistants.md with
// the decisions.
func TestTheDocumentationHasTheTable(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../../docs/assistants.md")
	require.NoError(t, err)
	for row := range strings.Lines(table(everything(t))) {
		if !strings.Contains(string(page), row) {
			t.Errorf("docs/assistants.md: no row\n%sreplace the row of this decision", row)
		}
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
