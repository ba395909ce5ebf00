package once_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/once"
	"github.com/practicesdk/practice-go/practicetest"
)

// TestAnIDThatIsChosenBeforehandIsReadBack creates two fees that differ only in
// their ids. The service shows them before or after the search limit, and then
// refuses a second record with the same id.
func TestAnIDThatIsChosenBeforehandIsReadBack(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		fault practicetest.FaultKind
		delay time.Duration
		again bool
	}{
		"the answer is lost after the effect":             {practicetest.FaultResetAfter, 0, false},
		"and the record is seen within the search limit":  {practicetest.FaultResetAfter, once.DefaultSearchLimit / 2, false},
		"and it is seen later, when it is created again":  {practicetest.FaultResetAfter, once.DefaultSearchLimit * 3 / 2, true},
		"the answer is lost before, and it is sent again": {practicetest.FaultResetBefore, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				journal := open(t, filepath.Join(t.TempDir(), "journal"))
				matterID := server.Firm().MatterID
				fee := models.FeeWrite{Subject: "Advice", FeeDate: models.DateOf(testkit.SomeTime)}
				var opts []once.Option
				if row.again {
					opts = append(opts, once.CreateAgain())
				}
				for _, key := range []string{"line 1", "line 2"} {
					server.Inject(practicetest.Fault{Operation: "createFee", Kind: row.fault})
					var chosen string
					id, err := once.Do(t.Context(), journal, key, func(ctx context.Context, intent once.Intent) (string, error) {
						chosen = intent.ResourceID
						_, err := client.Fees.Create(ctx, matterID, fee, practice.WithResourceID(intent.ResourceID), practice.WithExternalID(key))
						return intent.ResourceID, err
					}, func(ctx context.Context, intent once.Intent) ([]string, error) {
						_, err := client.Fees.Get(ctx, matterID, intent.ResourceID)
						if errors.Is(err, practice.ErrNotFound) {
							return nil, nil
						}
						return []string{intent.ResourceID}, err
					}, opts...)
					require.NoError(t, err)
					assert.Equal(t, chosen, id)
					named, ok := server.IDOfExternal(key)
					assert.True(t, ok)
					assert.Equal(t, id, named)
				}
				server.Settle()
				fees := 0
				for f, err := range client.Fees.All(t.Context(), matterID, practice.FeeListOptions{}) {
					require.NoError(t, err)
					if f.Subject == fee.Subject && f.FeeDate == fee.FeeDate {
						fees++
					}
				}
				assert.Equal(t, 2, fees)
				require.NoError(t, journal.Close())
			}, practicetest.WithWriteDelay(row.delay))
		})
	}
}

// TestAnotherAnswerIsNoRecordOfAChosenID checks reads that answer no such
// record: the outcome stays unknown, and nothing is created a second time.
func TestAnotherAnswerIsNoRecordOfAChosenID(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"another record":      `{"id":"0de4c732-092a-5bda-86af-e284e71b8af7","subject":"Advice"}`,
		"an error as success": `{"error":"internal"}`,
		"an empty object":     `{}`,
		"a list":              `{"value":[],"size":0}`,
		"a page":              `<html><body>maintenance</body></html>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				journal := open(t, filepath.Join(t.TempDir(), "journal"))
				matterID := server.Firm().MatterID
				creates := 0
				do := func() (string, error) {
					return once.Do(t.Context(), journal, "line", func(ctx context.Context, intent once.Intent) (string, error) {
						creates++
						_, err := client.Fees.Create(ctx, matterID, models.FeeWrite{Subject: "Advice", FeeDate: models.DateOf(testkit.SomeTime)}, practice.WithResourceID(intent.ResourceID))
						return intent.ResourceID, err
					}, func(ctx context.Context, intent once.Intent) ([]string, error) {
						_, err := client.Fees.Get(ctx, matterID, intent.ResourceID)
						if errors.Is(err, practice.ErrNotFound) {
							return nil, nil
						}
						return []string{intent.ResourceID}, err
					}, once.CreateAgain(), once.Await(func(ctx context.Context, id string) error {
						_, err := client.Fees.Get(ctx, matterID, id)
						return err
					}))
				}
				server.Inject(practicetest.Fault{Operation: "createFee", Kind: practicetest.FaultResetAfter},
					practicetest.Fault{Operation: "getFee", Status: 200, Body: body, Times: -1})
				_, err := do()
				_, unread := errors.AsType[*practice.DecodeError](err)
				require.True(t, unread, "%v", err)
				server.ClearFaults()
				id, err := do()
				require.NoError(t, err)
				assert.NotEmpty(t, id)
				assert.Equal(t, 1, creates)
				require.NoError(t, journal.Close())
			})
		})
	}
}
