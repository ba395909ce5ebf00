package main

import (
	"encoding/json"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/description"
)

// The deletion marks on the page must be those that IsDeleted recognizes.
func TestTheMarkOfADeletionIsThatOfIsDeleted(t *testing.T) {
	t.Parallel()
	_, d := module(t)
	operations := map[string]practice.Operation{}
	for _, o := range practice.Operations() {
		operations[o.ID] = o
	}
	marked := 0
	for _, k := range d.Kinds {
		member, value := k.Deletion()
		if member == "" {
			continue
		}
		if enum := k.List.Answer.Ref.Member(member).Type.Enum; enum != nil {
			i := slices.IndexFunc(enum.Values, func(v description.EnumValue) bool { return v.Name == value })
			value = enum.Values[i].Value
			if !enum.Number {
				value = strconv.Quote(value)
			}
		}
		record := operations[k.List.ID].NewAnswer()
		assert.False(t, practice.IsDeleted(record), k.Name)
		require.NoError(t, json.Unmarshal([]byte(`{"`+member+`": `+value+`}`), record), k.Name)
		assert.True(t, practice.IsDeleted(record), "%s: %s is %s", k.Name, member, value)
		marked++
	}
	assert.Greater(t, marked, 10)
}
