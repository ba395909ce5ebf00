// Package objectstore holds the file transfers of the client against a real
// S3-compatible store, with the embedded service signing the addresses. It is
// made of tests only.
package objectstore
