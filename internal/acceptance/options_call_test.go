package acceptance_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/requestid"
)

func TestRequestIDsAreMadeByTheSigner(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
		signer, err := requestid.NewSigner(bytes.Repeat([]byte{7}, requestid.KeySize))
		require.NoError(t, err)
		client := server.Client(t, practice.WithRequestIDSigner(signer))
		server.Inject(practicetest.Fault{Status: 503})
		var response practice.Response
		_, err = client.Staff.Get(t.Context(), server.Firm().StaffID, practice.WithResponse(&response))
		require.NoError(t, err)
		_, own := signer.Verify(response.RequestID)
		assert.True(t, own)
		assert.Equal(t, response.RequestID, response.EchoedRequestID)
		sent := testkit.RequestsTo(server, practicetest.PartAPI)
		require.Len(t, sent, 2)
		assert.Equal(t, sent[0].RequestID, sent[1].RequestID, "the same on every attempt")

		for range client.With(practice.WithRetries(1)).Events.All(t.Context(), practice.EventListOptions{ListOptions: practice.ListOptions{Limit: 10}}) {
		}
		seen := map[string]bool{}
		for _, r := range testkit.RequestsTo(server, practicetest.PartAPI)[1:] {
			_, own := signer.Verify(r.RequestID)
			assert.True(t, own, "pages and derived clients too")
			assert.False(t, seen[r.RequestID])
			seen[r.RequestID] = true
		}

		require.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID, practice.WithRequestID("mine-1"))))
		assert.Equal(t, "mine-1", testkit.LastSent(t, server).RequestID, "an id that a call brings is sent as it is")
	})
}

type fixedIDs string

func (f fixedIDs) NewRequestID() string { return string(f) }

func TestAnIDThatCannotBeSentIsRefused(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"", "a|b", "a\r\nb", " a", string(make([]byte, 129))} {
		testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
			client := server.Client(t, practice.WithRequestIDSigner(fixedIDs(id)))
			_, err := client.Staff.Get(t.Context(), server.Firm().StaffID)
			var refused *practice.ConfigError
			require.ErrorAs(t, err, &refused)
			assert.Equal(t, "WithRequestIDSigner", refused.Setting)
			assert.Empty(t, server.Requests())
		})
	}
	_, err := practice.NewClient("https://api.example.test", practice.WithoutCredentials(), practice.WithRequestIDSigner(nil))
	var refused *practice.ConfigError
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, "WithRequestIDSigner", refused.Setting)
}
