package conformance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	// declaredType is the declared media type of bodies.
	declaredType = "application/json-patch+json"
	plainType    = "application/json"
)

// validation returns options that validate everything, including formats.
func validation() *openapi3filter.Options {
	return &openapi3filter.Options{
		MultiError:                        true,
		IncludeResponseStatus:             true,
		RejectWhenRequestBodyNotSpecified: true,
		SkipSettingDefaults:               true,
		AuthenticationFunc:                hasCredential,
		SchemaValidationOptions:           formats(),
	}
}

// hasCredential checks that a request has one of the two credentials.
func hasCredential(_ context.Context, input *openapi3filter.AuthenticationInput) error {
	header := input.RequestValidationInput.Request.Header
	switch scheme := input.SecurityScheme; scheme.Type {
	case "apiKey":
		if header.Get(scheme.Name) == "" {
			return fmt.Errorf("the %s header is missing", scheme.Name)
		}
	case "http":
		if kind, token, _ := strings.Cut(header.Get("Authorization"), " "); kind != "Bearer" || token == "" {
			return errors.New("the Authorization header has no bearer credential")
		}
	default:
		return fmt.Errorf("%s credentials are not known here", scheme.Type)
	}
	return nil
}

// formats returns the formats that the library does not support. Ids need the
// form of a UUID, but not the version bits.
func formats() []openapi3.SchemaValidationOption {
	return []openapi3.SchemaValidationOption{
		openapi3.WithStringFormatValidators(map[string]openapi3.StringFormatValidator{
			"uuid": openapi3.NewRegexpFormatValidator(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`),
			"uri": openapi3.NewCallbackValidator(func(text string) error {
				if address, err := url.Parse(text); err != nil || !address.IsAbs() || address.Host == "" {
					return errors.New("is not an absolute address")
				}
				return nil
			}),
		}),
		openapi3.DisableSchemaErrorDetails(),
	}
}

// requireProblem validates a response with an undescribed status against the
// Problem object.
func (d *document) requireProblem(t *testing.T, x exchange) {
	t.Helper()
	assert.Equal(t, "application/problem+json; charset=utf-8", x.header.Get("Content-Type"))
	require.NoError(t, d.matches("Problem", x.answer))
}

// matches validates a JSON text against a schema of the document.
func (d *document) matches(schema string, text []byte) error {
	return match(d.Components.Schemas[schema], text)
}

func match(schema *openapi3.SchemaRef, text []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return err
	}
	return schema.Value.VisitJSON(value, formats()...)
}
