// Package conformance holds api/openapi.yaml, the client and the embedded
// service against each other. It is made of tests only, in a module of its
// own, so that the OpenAPI library is not among the dependencies of an
// integrator.
package conformance
