// Package practicetest is the practice management service itself, embedded:
// stateful, strict, and with faults on demand.
package practicetest
