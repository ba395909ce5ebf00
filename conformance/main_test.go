package conformance_test

import (
	"testing"

	"github.com/getkin/kin-openapi/openapi3filter"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	openapi3filter.RegisterBodyDecoder(pdf, openapi3filter.FileBodyDecoder)
	goleak.VerifyTestMain(m)
}

// pdf is the media type of the only response that is not JSON.
const pdf = "application/pdf"
