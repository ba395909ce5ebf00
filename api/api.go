// Package api contains the API description of the service.
package api

import _ "embed" // the description is printed as it is

//go:embed openapi.yaml
var openAPI string

// OpenAPI returns the description of the operations that the client offers, in
// YAML.
func OpenAPI() string { return openAPI }
