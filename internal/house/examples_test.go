package house_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/testkit"
)

// TestEveryAreaHasAnExampleThatRuns checks that each area has an example. An
// area with asynchronous writes and readable records also needs an example that
// calls Await.
func TestEveryAreaHasAnExampleThatRuns(t *testing.T) {
	t.Parallel()
	withoutWait := map[string]string{
		"Portal": "no operation reads a task of the portal",
	}
	api, err := fs.Sub(testkit.Project(t), "api")
	require.NoError(t, err)
	document, err := description.Load(api)
	require.NoError(t, err)
	bodies := exampleBodies(t)
	for _, area := range document.Areas {
		asynchronous, example, wait := false, false, false
		for _, o := range area.Operations {
			asynchronous = asynchronous || o.Status == 202 && o.HTTPMethod != "GET"
		}
		for _, body := range bodies {
			if strings.Contains(body, "client."+area.Name+".") {
				example = true
				wait = wait || strings.Contains(body, "practice.Await(")
			}
		}
		if len(area.Operations) == 0 {
			continue
		}
		assert.True(t, example, "%s has no example that runs", area.Name)
		if asynchronous && withoutWait[area.Name] == "" {
			assert.True(t, wait, "%s has no example of Await", area.Name)
		}
	}
}
