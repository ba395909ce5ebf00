//go:build unix

package sandbox

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

func TestHelpIsNotAnError(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	assert.Zero(t, run(t.Context(), []string{"-h"}, &out, &errs))
	assert.Empty(t, errs.String())
	for _, line := range strings.Split(out.String(), "\n") {
		assert.LessOrEqual(t, utf8.RuneCountInString(strings.Replace(line, "\t", "    ", 1)), 80, line)
	}
	for _, flag := range []string{"-listen", "-events", "-write-delay", "-latency", "-rate-limit", "-seed", "-token-lifetime", "-consistency", "-rendering", "-event-types", "-vendor-member"} {
		assert.Contains(t, out.String(), "\n  "+flag+" ")
	}
}

func TestABadCommandLineIsRefused(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		args []string
		says string
	}{
		"an unknown flag":        {[]string{"-nonsense"}, "not defined: -nonsense"},
		"a bad duration":         {[]string{"-latency", "5"}, "invalid value"},
		"a bad share":            {[]string{"-duplicates", "2"}, "between 0 and 1"},
		"no share at all":        {[]string{"-disorder", "NaN"}, "between 0 and 1"},
		"no rate at all":         {[]string{"-rate-limit", "NaN"}, "rate limit must be between 0"},
		"a rate below 0":         {[]string{"-rate-limit", "-3"}, "rate limit must be between 0"},
		"a past lifetime":        {[]string{"-token-lifetime", "-1s"}, "token lifetime must be between"},
		"no lifetime":            {[]string{"-presigned-lifetime", "0s"}, "presigned lifetime must be between"},
		"a negative time":        {[]string{"-latency", "-1s"}, "latency must be between 0s"},
		"other machines":         {[]string{"-listen", "192.0.2.1:0"}, "-allow-remote"},
		"a name":                 {[]string{"-listen", "sandbox.example:0"}, "-allow-remote"},
		"an unspecified address": {[]string{"-listen", ":0"}, "-allow-remote"},
		"a log of no form":       {[]string{"-log", "xml"}, "-log must be text or json"},
		"no own address":         {[]string{"-listen", "0.0.0.0:0", "-allow-remote"}, "-public-url"},
		"no consistency":         {[]string{"-consistency", "kind"}, `unknown consistency "kind"`},
		"no lag":                 {[]string{"-consistency", "unkind,list-lag=5"}, "list-lag must be a duration such as 200ms"},
		"a negative lag":         {[]string{"-consistency", "event-lag=-1s"}, "event lag must be between"},
		"a long least":           {[]string{"-consistency", "min-delay=2s,max-delay=1s"}, "shortest delay of writes must be between"},
		"a least alone":          {[]string{"-consistency", "min-delay=2s"}, "shortest delay of writes"},
		"no rendering":           {[]string{"-rendering", "absent,xml"}, `unknown rendering "xml"`},
		"no vendor":              {[]string{"-vendor-member", ""}, "vendor member requires a name"},
		"past events":            {[]string{"-events", "-5"}, "events must be between 0 and 1000000, not -5"},
		"no matter":              {[]string{"-matters", "0"}, "matters must be between 1"},
		"too many matters":       {[]string{"-matters", "99999999999"}, "matters must be between 1 and 1000000"},
		"no promotion":           {[]string{"-promotions", "0"}, "promotions must be between"},
		"a past log":             {[]string{"-request-log", "-1"}, "request log must be between"},
		"no redeliveries":        {[]string{"-redeliveries", "-1"}, "webhook redeliveries must be between"},
		"a wait for none":        {[]string{"-retry-after", "1s"}, "requires a rate limit"},
		"no word":                {[]string{"-unpublished", "shrug"}, "report, warn or refuse"},
		"a stray argument":       {[]string{"serve"}, `unexpected argument "serve"`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out, errs bytes.Buffer
			assert.Equal(t, 2, run(t.Context(), tt.args, &out, &errs))
			assert.Contains(t, errs.String(), tt.says)
			assert.Contains(t, errs.String(), "\nFlags:\n", "and the usage")
			assert.Empty(t, out.String())
		})
	}
}
