package models_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/models"
)

func TestTheNameOfAFileHasItsExtension(t *testing.T) {
	t.Parallel()
	for want, parts := range map[string][2]string{
		"Lease.pdf": {"Lease", ".pdf"}, "README": {"README", ""}, ".gitignore": {"", ".gitignore"}, "a.b.tar.gz": {"a.b.tar", ".gz"}, "": {"", ""},
	} {
		assert.Equal(t, want, (&models.File{Name: parts[0], FileExtension: parts[1]}).FileName())
	}
}
