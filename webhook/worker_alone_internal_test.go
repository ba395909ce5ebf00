package webhook

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestOnlyOneMessageAtATimeIsAlone(t *testing.T) {
	t.Parallel()
	var g gate
	assert.True(t, g.enter("a"))
	assert.True(t, g.enter("b"))
	assert.False(t, g.enter("a"), "it is inside")
	assert.True(t, g.isolate())
	assert.False(t, g.isolate(), "another one asked first")
	assert.False(t, g.enter("c"))
	g.join()
	assert.True(t, g.enter("c"))
	assert.True(t, g.isolate())
}
