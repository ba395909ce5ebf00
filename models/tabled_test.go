package models

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
)

// comparison holds the results of decoding and encoding a text twice: with the
// record's own code, and with its table.
type comparison struct {
	own, table           string // the encoded record
	ownFault, tableFault error
}

// compare decodes a text as a record of type T with its own code, and with the
// table that T has for tests.
func compare[T any, P interface {
	*T
	plain
}](tabledOf func(P) tabled, text []byte) comparison {
	var c comparison
	var own, twin T
	_, c.ownFault = codec.Decode(text, P(&own), Wire)
	_, c.tableFault = codec.Decode(text, tabledOf(P(&twin)), Wire)
	if c.ownFault == nil {
		c.own = written(P(&own))
	}
	if c.tableFault == nil {
		c.table = written(tabledOf(P(&twin)))
	}
	return c
}

func written(v any) string {
	text, err := codec.AppendRequest(nil, v, Wire)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// FuzzTablesDoWhatOwnCodeDoes decodes any text as every record with both. Both
// must accept the same texts, return the same errors, and encode to the same
// text.
func FuzzTablesDoWhatOwnCodeDoes(f *testing.F) {
	paths, err := filepath.Glob("testdata/*/*.json")
	require.NoError(f, err)
	require.NotEmpty(f, paths)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(f, err)
		f.Add(text)
	}
	for _, text := range []string{
		`null`, `{}`, `[]`, `{"rel":"a"}`, `{"rel":"a","relation":"b"}`, `{"relation":null,"rel":"a","x":1}`, `{"id":1}`, `{"id":"a","id":"b"}`,
		`{"feeDate":null,"rate":1.10,"sourceItems":[{"duration":1},{}]}`, `{"sourceItems":null}`, `{"sourceItems":{}}`, `{"tax":"1"}`,
		`{"self":{"href":"a","rel":"b","c":[1]},"matter":{}}`, `{"attendees":[{"id":"a"},null,{}],"eventType":4,"startTime":"2026-07-01T10:00:00"}`,
		`{"status":0,"balance":-0.50,"matterBalances":[{"balance":1}]}`, `{"sizeBytes":9007199254740993}`, `{"id":"\ud800"}`, `{"id":"a"} x`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for i, compare := range comparisons {
			c := compare(text)
			require.Equal(t, c.ownFault, c.tableFault, "%d %q", i, text)
			require.Equal(t, c.own, c.table, "%d %q", i, text)
		}
	})
}

// BenchmarkTables compares records with their own code and the same records
// with a table.
func BenchmarkTables(b *testing.B) {
	delivery, err := os.ReadFile("testdata/notifications/onNotification.matter-dense.json")
	require.NoError(b, err)
	patch, err := os.ReadFile("testdata/requests/patchFee.full.json")
	require.NoError(b, err)
	var notification Notification
	var fee FeePatch
	for name, v := range map[string]struct {
		text       []byte
		own, table any
	}{
		"Notification": {delivery, &notification, (*tabledNotification)(&notification)},
		"FeePatch":     {patch, &fee, (*tabledFeePatch)(&fee)},
	} {
		for form, record := range map[string]any{"own": v.own, "table": v.table} {
			b.Run(name+"/read/"+form, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := codec.Decode(v.text, record, Wire); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run(name+"/write/"+form, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := codec.AppendRequest(nil, record, Wire); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
