// Package objectstore tests the client's file transfers with a real
// S3-compatible store, for which the embedded service signs the URLs. It
// contains only tests.
package objectstore
