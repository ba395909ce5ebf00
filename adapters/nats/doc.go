// Package nats stores webhook deliveries and the state of their handling in NATS JetStream.
package nats
