// Package testkit holds helpers shared by tests of several packages: services,
// clients, handwritten responses, and checks of errors.
package testkit
