package practicetest_test

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func statementsOfThePath() []statement {
	return []statement{
		{"paths are relative to a base address with a prefix", "the prefix left out: 404 and a violation", func(w *witness) {
			w.at()
			request, err := http.NewRequestWithContext(w.t.Context(), "GET", strings.Replace(w.BaseURL(), "/practice/v1", "", 1)+"/bankaccounts", nil)
			require.NoError(w.t, err)
			assert.Equal(w.t, 1, w.noticed(func() { assert.Equal(w.t, 404, send(w.t, w.Server, request).Status) }))
		}},
	}
}

func statementsOfAnswers() []statement {
	return []statement{
		{"an error is a Problem object", "errors is an object for the folder listing, an array elsewhere", func(w *witness) {
			c := w.at()
			for path, media := range map[string]string{w.matter("/documents/folders/" + w.Firm().FolderID + "?limit=0"): "application/json", "/events?Limit=0": "application/problem+json"} {
				refused := c.mistake("GET", path, "")
				assert.Equal(w.t, media+"; charset=utf-8", refused.Header.Get("Content-Type"))
				_, isObject := refused.at("errors").(map[string]any)
				assert.Equal(w.t, media == "application/json", isObject)
			}
		}},
	}
}

func statementsOfRecords() []statement {
	return []statement{
		{"the type of an event occurs in three forms", "as a name, as digits, as a number", func(w *witness) {
			var names, digits, numbers int
			for _, e := range w.at().get("/events?From=2000-01-01T00:00:00").want(200).list("value") {
				switch kind := e.(map[string]any)["eventType"].(type) {
				case json.Number:
					numbers++
				case string:
					if strings.Trim(kind, "0123456789") == "" {
						digits++
					} else {
						names++
					}
				}
			}
			assert.Positive(w.t, names)
			assert.Positive(w.t, digits)
			assert.Positive(w.t, numbers)
		}},
	}
}
