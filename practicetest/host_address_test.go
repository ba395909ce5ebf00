package practicetest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

func TestAddressesBeginWithThePublicOne(t *testing.T) {
	t.Parallel()
	s, err := practicetest.Start(practicetest.WithPublicURL("https://sandbox.example:8001"), practicetest.WithControl())
	require.NoError(t, err)
	defer func() { assert.NoError(t, s.Close()) }()
	assert.Equal(t, []string{
		"https://sandbox.example:8001/practice/v1", "https://sandbox.example:8001/_sandbox",
		"https://sandbox.example:8002/documents", "https://sandbox.example:8003/oauth2/token",
	}, []string{s.BaseURL(), s.ControlURL(), s.StorageURL(), s.TokenURL()})
}

func TestAPublicAddressIsASchemeAHostAndAPort(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"sandbox:8001", "http://sandbox", "http://:8001", "ftp://sandbox:8001", "http://sandbox:65534", "http://sandbox:0",
		"http://sandbox:8001/path", "http://user@sandbox:8001", "http://sandbox:8001?q=1", "http://sand box:8001",
	} {
		_, err := practicetest.Start(practicetest.WithPublicURL(address))
		require.ErrorContains(t, err, "invalid public URL", address)
	}
}

// TestEveryAddressOfTheMachineIsNoAddress listens on 0.0.0.0 and ::, which
// clients cannot connect to.
func TestEveryAddressOfTheMachineIsNoAddress(t *testing.T) {
	t.Parallel()
	for _, listen := range []string{"0.0.0.0:0", ":0"} {
		s, err := practicetest.Start(practicetest.WithListenAddress(listen))
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(s.BaseURL(), "http://127.0.0.1:"), s.BaseURL())
		call(t, s).get("/bankaccounts").want(200)
		require.NoError(t, s.Close())
	}
}

// TestNotificationsStayOnThisMachine subscribes with addresses of other
// machines. The last one is in a network reserved for documentation.
func TestNotificationsStayOnThisMachine(t *testing.T) {
	t.Parallel()
	s, err := practicetest.Start()
	require.NoError(t, err)
	defer func() { assert.NoError(t, s.Close()) }()
	for address, reason := range map[string]string{
		"http://hooks.example.test/x": "does not belong to this machine", // no DNS server is queried
		"http://192.0.2.1/x":          "on another machine",
	} {
		call(t, s).do("POST", "/webhooks", `{"name":"n","eventTypes":["error"],"eventNotificationUrl":"`+address+`"}`).want(200)
		s.Emit(practicetest.Event{Type: "error"})
		require.NoError(t, s.Flush(t.Context()))
		deliveries := s.Deliveries()
		require.NotEmpty(t, deliveries)
		assert.ErrorContains(t, deliveries[len(deliveries)-1].Err, reason)
		s.Reset()
	}
}
