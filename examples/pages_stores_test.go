package examples_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite" // SQLite driver in pure Go

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/auth/authsql"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/once"
	"github.com/practicesdk/practice-go/once/oncesql"
	"github.com/practicesdk/practice-go/practicetest"
)

// The lines between "Page:" and "End." are blocks of the pages.

func openedAsShown(ctx context.Context, dir string) *sql.DB {
	// Page:
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(dir)+"/app.db?_pragma=busy_timeout(10000)&_pragma=journal_mode(wal)&_txlock=immediate")
	if err != nil {
		log.Fatal(err)
	}
	db.SetMaxOpenConns(1) // so statements of this process wait here, in their order
	_, err = db.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS noted (line TEXT PRIMARY KEY, memo TEXT NOT NULL)`)
	if err != nil {
		log.Fatal(err)
	}
	// End.
	return db
}

func runAsShown(ctx context.Context, db *sql.DB, client *practice.Client, matterID, failedID string) once.Report {
	// Page:
	journal, err := oncesql.Open(ctx, db, oncesql.Options{Table: oncesql.DefaultTable, Lease: 2 * oncesql.DefaultLease})
	if err != nil {
		log.Fatal(err)
	}
	rows := func(yield func(string, models.MemoWrite) bool) {
		for n := 1; n <= 60 && yield(fmt.Sprint("row ", n), models.MemoWrite{Title: fmt.Sprint("Call ", n), Text: "Ask for the deed"}); n++ {
		}
	}
	report, err := once.Run(ctx, rows, func(ctx context.Context, key string, memo models.MemoWrite) error {
		noted := journal.With(func(ctx context.Context, tx *sql.Tx, id string) error {
			_, err := tx.ExecContext(ctx, `INSERT INTO noted (line, memo) VALUES (?, ?)`, key, id)
			return err // an error undoes both: the next Do looks for the memo
		})
		_, err := once.Do(ctx, noted, key, func(ctx context.Context, _ once.Intent) (string, error) {
			link, err := client.Memos.Create(ctx, matterID, memo)
			if err != nil {
				return "", err
			}
			return link.TargetID(), nil
		}, func(ctx context.Context, intent once.Intent) ([]string, error) {
			memos, err := client.Memos.FindCreated(ctx, matterID, memo, intent.At.Add(-5*time.Minute))
			return once.IDs(memos, func(m *models.Memo) string { return m.ID }), err
		})
		return err
	}, once.RunOptions{})
	fmt.Println(report.Done, report.Failed, err)
	fmt.Println(errors.Is(err, once.ErrOvertaken))                            // this process stood still for a whole lease: run it again
	fmt.Println(journal.Forget(ctx, "row 1", failedID))                       // after a late failure, as above
	fmt.Println(errors.Is(err, once.ErrKey), errors.Is(err, once.ErrEmptyID)) // a key that is not UTF-8; find returned a record without an id
	// End.
	return report
}

func readAsShown(ctx context.Context, db *sql.DB, baseURL, apiKey, tokenURL, clientID, clientSecret string) error {
	// Page:
	tokens, err := authsql.Open(ctx, db, authsql.Options{Table: authsql.DefaultTable, Lease: authsql.DefaultLease}) // Numbered: true for PostgreSQL
	if err != nil {
		log.Fatal(err)
	}
	shared, err := practice.NewClient(baseURL, practice.WithAPIKey(apiKey), practice.WithTokens(auth.Source{
		Credentials: auth.RefreshCredentials{TokenURL: tokenURL, ClientID: clientID, ClientSecret: models.NewSecret(clientSecret)},
		Store:       tokens.Store("firm-17"), // for auth.AuthorizationCode.TokenStore, too
	}))
	if err != nil {
		log.Fatal(err)
	}
	read, err := shared.Firm.Get(ctx)
	if errors.Is(err, authsql.ErrOvertaken) {
		fmt.Println("this process stood still for a whole lease; another one has renewed the tokens")
	} else if err == nil {
		fmt.Println(read.Name)
	}
	fmt.Println(tokens.Store("firm-18").Delete(ctx)) // a firm that left: its user has to sign in again
	// End.
	shared.CloseIdleConnections()
	return err
}

// TestTheStoresOfThePagesShareADatabase runs the blocks together, in two
// processes: a run of 60 rows each, while tokens are renewed. No statement may
// fail.
func TestTheStoresOfThePagesShareADatabase(t *testing.T) {
	server, err := practicetest.Start(practicetest.WithOneTimeRefresh(true))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	dir, own, memos := t.TempDir(), server.Credentials(), practicetest.New(t)
	processes := make([]*sql.DB, 2)
	for i := range processes {
		processes[i] = openedAsShown(t.Context(), dir)
		t.Cleanup(func() { require.NoError(t, processes[i].Close()) })
	}
	signInTo(t, processes[0], server)
	var work sync.WaitGroup
	for _, db := range processes {
		work.Go(func() {
			report := runAsShown(t.Context(), db, memos.Client(t), memos.Firm().MatterID, "another")
			assert.Equal(t, 60, report.Done)
			assert.Empty(t, report.Failed)
		})
	}
	for range 10 {
		var reads sync.WaitGroup
		for _, db := range processes {
			reads.Go(func() {
				assert.NoError(t, readAsShown(t.Context(), db, server.BaseURL(), own.APIKey, server.TokenURL(), own.ClientID, own.ClientSecret))
			})
		}
		reads.Wait()
		server.ExpireTokens()
	}
	work.Wait()
	db := openedAsShown(t.Context(), dir)
	defer db.Close()
	var noted int
	require.NoError(t, db.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM noted`).Scan(&noted))
	assert.Equal(t, 60, noted)
}

// signInTo stores the first tokens.
func signInTo(t *testing.T, db *sql.DB, server *practicetest.Server) {
	t.Helper()
	tokens, err := authsql.Open(t.Context(), db, authsql.Options{})
	require.NoError(t, err)
	own := server.Credentials()
	client, err := practice.NewClient(server.BaseURL(), practice.WithAPIKey(own.APIKey), practice.WithTokens(auth.Source{
		Credentials: auth.RefreshCredentials{TokenURL: server.TokenURL(), ClientID: own.ClientID, ClientSecret: models.NewSecret(own.ClientSecret), RefreshToken: models.NewSecret(own.RefreshToken)},
		Store:       tokens.Store("firm-17"),
	}))
	require.NoError(t, err)
	defer client.CloseIdleConnections()
	_, err = client.Firm.Get(t.Context())
	require.NoError(t, err)
}

// TestTheBlocksAboutDatabasesAreTheOnesThatRun compares the pages with this
// file.
func TestTheBlocksAboutDatabasesAreTheOnesThatRun(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("pages_stores_test.go")
	require.NoError(t, err)
	ran := map[string]bool{}
	for _, part := range strings.Split(string(source), "\t// Page:\n")[1:] {
		body, _, _ := strings.Cut(part, "\t// End.\n")
		ran[spaced(strings.ReplaceAll("\n"+body, "\n\t", "\n"))] = false
	}
	sources, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	for _, page := range sources {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, match := range fence.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(match[1], "oncesql.") || strings.Contains(match[1], "authsql.") || strings.Contains(match[1], "sql.Open(") {
				assert.Contains(t, ran, spaced(match[1]), page)
				ran[spaced(match[1])] = true
			}
		}
	}
	require.Len(t, ran, 3)
	for block, shown := range ran {
		assert.True(t, shown, block)
	}
}

// spaced returns a text whose comments stand one space behind the code.
func spaced(text string) string {
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	for i, line := range lines {
		if code, comment, has := strings.Cut(line, " // "); has {
			lines[i] = strings.TrimRight(code, " ") + " // " + comment
		}
	}
	return strings.Join(lines, "\n")
}
