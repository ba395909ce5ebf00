// Package conformance compares api/openapi.yaml, the client and the embedded
// service. It contains only tests and is its own module, so that the OpenAPI
// library is not a dependency of users.
package conformance
