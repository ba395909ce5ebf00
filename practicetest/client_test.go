package practicetest_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/mirror"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestAClientOutlivesItsTokensOnAVirtualClock(t *testing.T) {
	t.Parallel()
	for name, opts := range map[string][]practicetest.Option{
		"an hour each": nil, "a minute each": {practicetest.WithTokenLifetime(time.Minute)}, "one-time refresh tokens": {practicetest.WithOneTimeRefresh(true)},
		"a public client": {practicetest.WithPublicClient(true)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := practicetest.New(t, append(opts, practicetest.WithVirtualClock(start))...)
			client := s.Client(t)
			for range 20 {
				_, err := client.Staff.Get(t.Context(), s.Firm().StaffID)
				require.NoError(t, err)
				s.Clock().Advance(61 * time.Minute)
			}
			for _, request := range s.Requests() {
				assert.Equal(t, practicetest.PartAPI, request.Part, "the token endpoint is left to the code under test")
			}
		})
	}
}

func TestAClientEndsWithItsGrant(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithVirtualClock(start))
	client := s.Client(t)
	s.RevokeRefreshToken()
	_, err := client.Firm.Get(t.Context())
	require.NoError(t, err, "the access token is good until it ends")
	s.Clock().Advance(61 * time.Minute)
	_, err = client.Firm.Get(t.Context())
	require.ErrorIs(t, err, practice.ErrUnauthorized)
}

func TestAClientIsRefusedForOtherReasonsOnce(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithStrict(false))
	_, err := s.Client(t, practice.WithUserID(s.Firm().OtherFirmUserID)).Firm.Get(t.Context())
	require.ErrorIs(t, err, practice.ErrUnauthorized)
	assert.Len(t, s.Requests(), 1, "a new token would not help")
}

func TestAProgramGetsAClientWithoutOptions(t *testing.T) {
	t.Parallel()
	s, err := practicetest.Start()
	require.NoError(t, err)
	defer func() { assert.NoError(t, s.Close()) }()
	client, err := s.NewClient()
	require.NoError(t, err)
	defer client.CloseIdleConnections()
	firm, err := client.Firm.Get(t.Context())
	require.NoError(t, err)
	assert.NotEmpty(t, firm.Name)
	_, err = s.NewClient(practice.WithRetries(-1))
	refused, ok := errors.AsType[*practice.ConfigError](err)
	require.True(t, ok)
	assert.Equal(t, "WithRetries", refused.Setting)
}

// leave sends a write whose effect reads can see: it removes a staff member.
func leave(t *testing.T, client *practice.Client, id string) {
	t.Helper()
	_, err := client.Staff.Delete(t.Context(), id)
	require.NoError(t, err)
}

func TestWhoeverPollsOnAVirtualClockSeesTheEffect(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithVirtualClock(start))
	client, id := s.Client(t), s.Firm().StaffID
	former := func() bool {
		member, err := client.Staff.Get(t.Context(), id)
		require.NoError(t, err)
		return member.Former.Or(false)
	}
	leave(t, client, id)
	assert.Equal(t, []bool{false, false, true}, []bool{former(), former(), former()})
	assert.Equal(t, start, s.Clock().Now(), "the clock stands")

	others := slices.DeleteFunc(s.Firm().StaffIDs, func(id string) bool {
		member, _ := s.StaffMember(id)
		return member.Former.Or(false)
	})
	other := others[0]
	leave(t, client, other)
	for _, each := range others { // reads of different paths do not count as polling
		_, err := client.Staff.Get(t.Context(), each)
		require.NoError(t, err)
	}
	member, _ := s.StaffMember(other)
	assert.False(t, member.Former.Or(false))
}

func TestAChosenDelayPassesByTheClockAlone(t *testing.T) {
	t.Parallel()
	for name, opt := range map[string]practicetest.Option{
		"a delay": practicetest.WithWriteDelay(100 * time.Millisecond), "a consistency": practicetest.WithConsistency(practicetest.Unkind()),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := practicetest.New(t, practicetest.WithVirtualClock(start), opt)
			client, id := s.Client(t), s.Firm().StaffID
			leave(t, client, id)
			for range 10 {
				member, err := client.Staff.Get(t.Context(), id)
				require.NoError(t, err)
				assert.False(t, member.Former.Or(false))
			}
		})
	}
}

// TestCodeThatWaitsForItsWritesEndsOnAVirtualClock calls the functions of the
// library that poll.
func TestCodeThatWaitsForItsWritesEndsOnAVirtualClock(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithVirtualClock(start))
	client, firm := s.Client(t), s.Firm()
	for range 2 { // the second push finds the folder and files of the first
		err := mirror.Push(t.Context(), client, firm.MatterID, "", mirror.Options{Tree: fstest.MapFS{
			"letters/one.txt": &fstest.MapFile{Data: []byte("one")}, "letters/two.txt": &fstest.MapFile{Data: []byte("two")},
		}})
		require.NoError(t, err)
	}
	_, err := client.Fees.Patch(t.Context(), firm.MatterID, firm.FeeID, models.FeePatch{Subject: models.Some("Advice")})
	require.NoError(t, err)
	before, err := client.Fees.Get(t.Context(), firm.MatterID, firm.FeeID)
	require.NoError(t, err)
	fee, err := practice.Await(t.Context(), func(ctx context.Context) (*models.Fee, error) {
		return client.Fees.Get(ctx, firm.MatterID, firm.FeeID)
	}, practice.Changed(before))
	require.NoError(t, err)
	assert.Equal(t, "Advice", fee.Subject)
}
