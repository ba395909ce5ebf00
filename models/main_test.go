package models_test

import (
	"testing"

	"github.com/practicesdk/practice-go/internal/testmain"
)

func TestMain(m *testing.M) {
	testmain.CollectLess()
	m.Run()
}
