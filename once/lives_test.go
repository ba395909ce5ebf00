package once_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/once"
	"github.com/practicesdk/practice-go/practicetest"
)

var errDead = errors.New("the process is dead")

// life is a process that ends at one of its steps: before or after a request or
// a Store of its journal. Later steps have no effect.
type life struct {
	journal *once.File
	network http.RoundTripper
	end     context.CancelFunc

	mu   sync.Mutex
	left int // steps until the end; negative: no end
	dead bool
}

// step reports whether the process is still alive after a step.
func (l *life) step() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.left--; l.left == 0 {
		l.dead = true
		l.end()
	}
	return !l.dead
}

func (l *life) Load(ctx context.Context, key string) (once.Entry, error) {
	return l.journal.Load(ctx, key)
}

func (l *life) Owner(ctx context.Context, id string) (string, error) {
	return l.journal.Owner(ctx, id)
}

func (l *life) Hold(ctx context.Context, key string) (func(), error) {
	return l.journal.Hold(ctx, key)
}

func (l *life) Store(ctx context.Context, key string, old, entry once.Entry) error {
	if !l.step() {
		return errDead
	}
	if err := l.journal.Store(ctx, key, old, entry); err != nil {
		return err
	}
	if !l.step() {
		return errDead
	}
	return nil
}

func (l *life) RoundTrip(req *http.Request) (*http.Response, error) {
	if !l.step() {
		return nil, errDead
	}
	resp, err := l.network.RoundTrip(req)
	if err == nil && !l.step() {
		return nil, errors.Join(errDead, resp.Body.Close())
	}
	return resp, err
}

// importer adds fees over several lives.
type importer struct {
	server *practicetest.Server
	path   string // path of the journal
	rows   int
}

// live processes all rows in a process with a number of steps, and reports
// whether it finished.
func (i *importer) live(t *testing.T, steps int) (report once.Report, finished bool) {
	t.Helper()
	ctx, end := context.WithCancel(t.Context())
	defer end()
	l := &life{journal: open(t, i.path), network: i.server.HTTPClient().Transport, end: end, left: steps}
	own := i.server.Credentials()
	client, err := practice.NewClient(i.server.BaseURL(), practice.WithAPIKey(own.APIKey), practice.WithAccessToken(own.AccessToken),
		practice.WithHTTPClient(&http.Client{Transport: l}))
	require.NoError(t, err)
	report, err = once.Run(ctx, numbered(i.rows), func(ctx context.Context, key string, row int) error {
		return i.add(ctx, client, l, key, row)
	}, once.RunOptions{})
	require.NoError(t, l.journal.Close())
	client.CloseIdleConnections()
	return report, err == nil && !l.dead
}

// finish runs until no row is left, and returns the number of runs. A run
// leaves rows only if it loses responses.
func (i *importer) finish(t *testing.T) (runs int) {
	t.Helper()
	for finished := false; !finished; runs++ {
		toLose := len(i.server.Faults())
		_, finished = i.live(t, -1)
		require.True(t, finished || len(i.server.Faults()) < toLose, "run %d left rows and lost no answer", runs)
	}
	return runs
}

func (i *importer) add(ctx context.Context, client *practice.Client, journal once.Journal, key string, row int) error {
	matters := i.server.Firm().MatterIDs
	matterID := matters[row%len(matters)]
	fee := models.FeeWrite{Subject: "Advice", FeeDate: models.DateOf(testkit.SomeTime), Description: key, Rate: models.MustDecimal("0.10")}
	_, err := once.Do(ctx, journal, key, func(ctx context.Context, _ once.Intent) (string, error) {
		link, err := client.Fees.Create(ctx, matterID, fee)
		if err != nil {
			return "", err
		}
		return link.TargetID(), nil
	}, func(ctx context.Context, intent once.Intent) ([]string, error) {
		found, err := client.Fees.FindCreated(ctx, matterID, fee, intent.At.Add(-time.Minute))
		return once.IDs(found, func(f *models.Fee) string { return f.ID }), err
	}, once.CreateAgain())
	return err
}

// assertEachOnce compares the fees with the journal.
func (i *importer) assertEachOnce(t *testing.T) {
	t.Helper()
	i.server.Settle()
	client := i.server.Client(t)
	ids := map[string][]string{}
	for _, matterID := range i.server.Firm().MatterIDs {
		for fee, err := range client.Fees.All(t.Context(), matterID, practice.FeeListOptions{}) {
			require.NoError(t, err)
			if strings.HasPrefix(fee.Description, "row ") {
				ids[fee.Description] = append(ids[fee.Description], fee.ID)
			}
		}
	}
	journal := open(t, i.path)
	for key := range numbered(i.rows) {
		assert.Equal(t, []string{entryOf(t, journal, key).ID}, ids[key], "%s has one fee, and the journal its id", key)
	}
	require.NoError(t, journal.Close())
}

// late makes records and lists show accepted writes late and in another order,
// but within a search limit.
func late() practicetest.Option {
	return practicetest.WithConsistency(practicetest.Consistency{MaxDelay: 20 * time.Second, ListLag: 20 * time.Second})
}

// TestARunThatDiesAtAnyStepIsFinishedByTheNext ends a process at each step in
// turn, and loses a response before or after its effect.
func TestARunThatDiesAtAnyStepIsFinishedByTheNext(t *testing.T) {
	t.Parallel()
	for name, faults := range map[string][]practicetest.Fault{
		"every answer comes":         nil,
		"one is lost before":         {{Operation: "createFee", Kind: practicetest.FaultResetBefore, Skip: 1}},
		"one is lost after":          {{Operation: "createFee", Kind: practicetest.FaultResetAfter, Skip: 1}},
		"and one of those that look": {{Operation: "createFee", Kind: practicetest.FaultResetAfter}, {Operation: "listFees", Kind: practicetest.FaultResetBefore}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			deaths, finished := 0, false
			for steps := 1; !finished; steps++ {
				testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
					i := &importer{server: server, path: filepath.Join(t.TempDir(), "journal"), rows: 3}
					for _, fault := range faults {
						server.Inject(fault)
					}
					_, finished = i.live(t, steps)
					if !finished {
						deaths++
						i.finish(t)
					}
					i.assertEachOnce(t)
				}, late())
			}
			assert.Greater(t, deaths, 12, "three rows have six steps each")
		})
	}
}

// TestThousandsOfRowsAreCreatedOnceOverHundredsOfLives kills the import
// repeatedly, loses responses, and shows records late.
func TestThousandsOfRowsAreCreatedOnceOverHundredsOfLives(t *testing.T) {
	t.Parallel()
	rows, kills := soak.Times(120, 5000), soak.Times(12, 300)
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
		i := &importer{server: server, path: filepath.Join(t.TempDir(), "journal"), rows: rows}
		random := rand.New(rand.NewPCG(31, uint64(rows)))
		began, died, lost := server.Clock().Now(), 0, map[practicetest.FaultKind]int{}
		for died < kills {
			kind := []practicetest.FaultKind{practicetest.FaultResetBefore, practicetest.FaultResetAfter}[random.IntN(2)]
			server.Inject(practicetest.Fault{Operation: "createFee", Kind: kind, Skip: random.IntN(8)})
			lost[kind]++
			if _, finished := i.live(t, 1+random.IntN(2*6*rows/kills)); finished {
				break
			}
			died++
		}
		runs := i.finish(t)
		i.assertEachOnce(t)
		t.Logf("%d rows, %d kills and %d runs, answers to lose before and after: %d and %d, in %s of the clock",
			rows, died, runs, lost[practicetest.FaultResetBefore], lost[practicetest.FaultResetAfter], server.Clock().Now().Sub(began).Round(time.Second))
		assert.Greater(t, died, kills/2)
	}, late(), practicetest.WithRequestLog(1), practicetest.WithTokenLifetime(1000*time.Hour))
}
