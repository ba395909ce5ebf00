// Package sharetest checks that receivers that share a queue or stores share
// the work: events come repeated and in any order to any of them, each is
// handled once, and none takes effect after a newer one of its resource.
package sharetest
