package nats_test

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/adapters/internal/ports"
	"github.com/practicesdk/practice-go/adapters/internal/sharetest"
	"github.com/practicesdk/practice-go/adapters/nats"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/webhook"
)

// startCluster starts three servers that replicate all streams.
func startCluster(t *testing.T) []*natsServer {
	t.Helper()
	var routes []*url.URL
	places := freePorts(t, 3)
	for _, port := range places {
		routes = append(routes, &url.URL{Scheme: "nats", Host: fmt.Sprintf("127.0.0.1:%d", port)})
	}
	var all []*natsServer
	for i, port := range places {
		s := &natsServer{options: server.Options{
			ServerName: fmt.Sprintf("s%d", i), Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true,
			JetStream: true, StoreDir: t.TempDir(),
			Cluster: server.ClusterOpts{Name: "c", Host: "127.0.0.1", Port: port}, Routes: routes,
		}}
		s.start(t)
		t.Cleanup(s.stop)
		all = append(all, s)
	}
	require.Eventually(t, func() bool { // only the leader knows
		return slices.ContainsFunc(all, func(s *natsServer) bool { return len(s.JetStreamClusterPeers()) == len(all) })
	}, patient, 20*time.Millisecond)
	return all
}

func freePorts(t *testing.T, n int) (all []int) {
	t.Helper()
	for range n {
		all = append(all, ports.Free(t))
	}
	return all
}

func openCluster(t *testing.T, servers []*natsServer, options ...nats.Option) *nats.Engine {
	t.Helper()
	var addresses []string
	for _, s := range servers {
		addresses = append(addresses, s.ClientURL())
	}
	return openServers(t, addresses, options...)
}

// openServers opens an engine as soon as the cluster has elected its leaders.
func openServers(t *testing.T, addresses []string, options ...nats.Option) *nats.Engine {
	t.Helper()
	var engine *nats.Engine
	require.Eventually(t, func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		var err error
		engine, err = nats.Open(ctx, "", append(options, nats.WithServers(strings.Join(addresses, ",")), nats.WithReplicas(3))...)
		if err != nil {
			t.Log(err)
		}
		return err == nil
	}, patient, 100*time.Millisecond)
	t.Cleanup(func() { assert.NoError(t, closeNow(engine)) })
	return engine
}

func TestAClusterStoresEverythingTogether(t *testing.T) {
	t.Parallel()
	servers := startCluster(t)
	one, two := openCluster(t, servers, nats.Patient()), openCluster(t, servers, nats.Patient())
	require.NoError(t, one.Queue().Put(t.Context(), numbered(1)))
	job := take(t, two.Queue())
	assert.Equal(t, "1", job.Message().Identity)
	require.NoError(t, job.Done(t.Context()))
	left, err := one.Queue().Len(t.Context())
	require.NoError(t, err)
	assert.Zero(t, left)
	require.NoError(t, one.Store().Commit(t.Context(), key))
	claim, err := two.Store().Claim(t.Context(), key, "a", time.Hour)
	require.NoError(t, err)
	assert.Equal(t, webhook.ClaimDone, claim)
	js := jetStream(t, servers[0])
	for _, name := range []string{"practice-work", "practice-events", "practice-dead", "KV_practice-events"} {
		stream, err := js.Stream(t.Context(), name)
		require.NoError(t, err)
		assert.Equal(t, 3, stream.CachedInfo().Config.Replicas, name)
	}
}

func TestAClusterGoesOnWithoutOneOfItsServers(t *testing.T) {
	soak.Only(t, "the servers choose leaders")
	t.Parallel()
	servers, ledger := startCluster(t), sharetest.NewLedger()
	ledger.Faulty = true
	var receivers []*webhook.Receiver
	for range 2 {
		receiver := newReceiver(t, openCluster(t, servers), webhook.WithDeadline(2*time.Second),
			webhook.WithHandlerTimeout(time.Second), // limits the claims of events that were not committed
			webhook.WithRetryPolicy(webhook.RetryPolicy{Attempts: 100, First: 50 * time.Millisecond, Max: time.Second}))
		ledger.Attach(receiver)
		receivers = append(receivers, receiver)
	}
	failing := time.AfterFunc(time.Second/2, servers[1].stop) // and with it some leaders
	defer failing.Stop()
	deliveries, took := sharetest.Deliver(t, *events/10, ledger, receivers...)
	t.Logf("%d deliveries in %v", deliveries, took)
}
