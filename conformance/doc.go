// Package conformance compares api/openapi.yaml, the client and the embedded
// service. It contains only tests, and is a separate module so that users do
// not depend on the OpenAPI library.
package conformance
