// Package acceptance tests the public interface: rules that hold for the whole
// client, and rules of one area that its test file in the root does not hold.
package acceptance
