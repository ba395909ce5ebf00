package once_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/once"
	"github.com/practicesdk/practice-go/practicetest"
)

// foldersOf returns the ids of the folders with a name below another.
func foldersOf(ctx context.Context, client *practice.Client, matterID, parentID, name string) (ids []string, err error) {
	for entry, err := range client.Documents.AllEntries(ctx, matterID, parentID) {
		if err != nil {
			return nil, err
		}
		if entry.Folder != nil && entry.Folder.Name == name {
			ids = append(ids, entry.Folder.ID)
		}
	}
	return ids, nil
}

// end is how a process ends: its context is cancelled at a request or during a
// wait, or a read fails.
type end struct {
	request int           // number of the request from 1; 0: no request
	wait    time.Duration // 0: no wait
	fault   bool          // the request fails instead
}

func ends() (all []end) {
	for request := 1; request <= 6; request++ {
		all = append(all, end{request: request}, end{request: request, fault: true})
	}
	return append(all, end{wait: 50 * time.Millisecond}, end{wait: 350 * time.Millisecond}, end{wait: 11 * time.Second})
}

// TestAnEnsuredFolderIsMadeOnceHoweverItsProcessEnds ends a process at each of
// its requests and waits, and continues with the journal in another process,
// which knows nothing else.
func TestAnEnsuredFolderIsMadeOnceHoweverItsProcessEnds(t *testing.T) {
	t.Parallel()
	const name = "Incoming"
	for _, lost := range []practicetest.FaultKind{practicetest.FaultResetAfter, practicetest.FaultResetBefore, practicetest.FaultTruncated, -1} {
		for _, end := range ends() {
			t.Run(fmt.Sprint(lost, end), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					var requests atomic.Int64
					server := practicetest.New(t, practicetest.WithEvents(0), practicetest.WithWriteDelay(10*time.Second),
						practicetest.WithRequestHandler(func(practicetest.RecordedRequest) {
							if int(requests.Add(1)) == end.request && !end.fault {
								cancel()
							}
						}))
					if lost >= 0 {
						server.Inject(practicetest.Fault{Operation: "createFolder", Kind: lost})
					}
					if end.fault {
						server.Inject(practicetest.Fault{Operation: "getFolder", Kind: practicetest.FaultResetBefore, Skip: end.request - 1, Times: 20})
					}
					if end.wait > 0 {
						time.AfterFunc(end.wait, cancel)
					}
					firm := server.Firm()
					journal, err := once.Open(filepath.Join(t.TempDir(), "journal"))
					require.NoError(t, err)
					defer func() { assert.NoError(t, journal.Close()) }()
					process := func(ctx context.Context) error {
						client := server.Client(t)
						_, err := once.Do(ctx, journal, "key",
							func(ctx context.Context, _ once.Intent) (string, error) {
								return client.Documents.EnsureFolder(ctx, firm.MatterID,
									models.FolderWrite{Name: name, ParentFolderID: firm.FolderID}, practice.EnsureFolderOptions{})
							},
							func(ctx context.Context, _ once.Intent) ([]string, error) {
								return foldersOf(ctx, client, firm.MatterID, firm.FolderID, name)
							}, once.CreateAgain())
						return err
					}
					if process(ctx) != nil {
						server.ClearFaults()
						require.NoError(t, process(t.Context()))
					}
					<-time.After(time.Minute)
					found, err := foldersOf(t.Context(), server.Client(t), firm.MatterID, firm.FolderID, name)
					require.NoError(t, err)
					assert.Len(t, found, 1)
				})
			})
		}
	}
}

// TestACreateThatALaterErrorHidesStaysAnIntent checks that the error of another
// call is no proof: only the create itself proves that it was not executed.
func TestACreateThatALaterErrorHidesStaysAnIntent(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		fault practicetest.Fault
		kept  bool
	}{
		{"accepted", practicetest.Fault{}, true},
		{"lost", practicetest.Fault{Operation: "createFolder", Kind: practicetest.FaultResetAfter}, true},
		{"refused", practicetest.Fault{Operation: "createFolder", Kind: practicetest.FaultStatus, Status: 403}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := practicetest.New(t)
				if test.fault.Operation != "" {
					server.Inject(test.fault)
				}
				client, firm := server.Client(t), server.Firm()
				journal, err := once.Open(filepath.Join(t.TempDir(), "journal"))
				require.NoError(t, err)
				defer func() { assert.NoError(t, journal.Close()) }()
				_, err = once.Do(t.Context(), journal, "key",
					func(ctx context.Context, _ once.Intent) (string, error) {
						_, _ = client.Documents.CreateFolder(ctx, firm.MatterID, models.FolderWrite{Name: "A"})
						_, err := client.Matters.Get(ctx, "00000000-0000-4000-8000-000000000001")
						return "", err
					},
					func(context.Context, once.Intent) ([]string, error) { return nil, nil }, once.SearchLimit(0))
				require.ErrorIs(t, err, practice.ErrNotFound)
				entry, err := journal.Load(t.Context(), "key")
				require.NoError(t, err)
				assert.Equal(t, test.kept, !entry.IsZero())
			})
		})
	}
}

// TestTheSampleSurvivesALostAnswer runs the sample of the package.
func TestTheSampleSurvivesALostAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		server.Inject(practicetest.Fault{Operation: "createFee", Kind: practicetest.FaultResetAfter})
		client, matterID := server.Client(t), server.Firm().MatterID
		fee := models.FeeWrite{Subject: "x", FeeDate: models.DateOf(time.Now()), StaffID: server.Firm().StaffID}
		journal, err := once.Open(filepath.Join(t.TempDir(), "journal"))
		require.NoError(t, err)
		defer func() { assert.NoError(t, journal.Close()) }()
		id, err := once.Do(t.Context(), journal, "invoice 4711, line 3",
			func(ctx context.Context, _ once.Intent) (string, error) {
				link, err := client.Fees.Create(ctx, matterID, fee)
				return link.TargetID(), err
			},
			func(ctx context.Context, intent once.Intent) ([]string, error) {
				fees, err := client.Fees.FindCreated(ctx, matterID, fee, intent.At.Add(-5*time.Minute))
				return once.IDs(fees, func(f *models.Fee) string { return f.ID }), err
			})
		require.NoError(t, err)
		_, there := server.Fee(id)
		assert.True(t, there)
	})
}

// TestRowsThatTheRateLimitKeepsFromTheDeadlineAreSkipped checks that a run
// reports no row as failed for which nothing was sent.
func TestRowsThatTheRateLimitKeepsFromTheDeadlineAreSkipped(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		client := server.Client(t, practice.WithRateLimit(5, 5))
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		report, err := once.Run(ctx, numbered(200), func(ctx context.Context, key string, _ int) error {
			_, err := client.Fees.Create(ctx, server.Firm().MatterID,
				models.FeeWrite{Subject: key, FeeDate: models.DateOf(time.Now()), StaffID: server.Firm().StaffID})
			return err
		}, once.RunOptions{})
		require.ErrorIs(t, err, practice.ErrRateLimitWait)
		assert.Empty(t, report.Failed)
		assert.Positive(t, report.Done)
		assert.Equal(t, 200, report.Done+report.Skipped)
	})
}
