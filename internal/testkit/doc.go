// Package testkit holds what tests of several packages share: services,
// clients, answers written by hand, and checks of errors.
package testkit
