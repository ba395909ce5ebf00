package nats

import (
	_ "github.com/gofrs/flock"
	_ "github.com/nats-io/nats-server/v2/server"
	_ "github.com/nats-io/nats.go/jetstream"
	_ "github.com/practicesdk/practice-go/webhook"
	_ "github.com/stretchr/testify/require"
	_ "go.uber.org/goleak"
)
