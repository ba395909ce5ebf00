package otel_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/adapters/otel"
)

func TestSettingsThatCannotBeUsedAreRefused(t *testing.T) {
	t.Parallel()
	of := func(option otel.Option) error {
		_, err := otel.New(option)
		return err
	}
	_, receiver := newBench(t).WatchReceiver(nil)
	for name, err := range map[string]error{
		"WithTracerProvider": of(otel.WithTracerProvider(nil)),
		"WithMeterProvider":  of(otel.WithMeterProvider(nil)),
		"WithPropagator":     of(otel.WithPropagator(nil)),
		"receiver":           receiver,
	} {
		bad, ok := errors.AsType[*practice.ConfigError](err)
		require.True(t, ok, "%s: %v", name, err)
		assert.Equal(t, name, bad.Setting)
	}
	_, err := otel.New()
	require.NoError(t, err, "the global providers will do")
}
