// Package sharetest checks that receivers with a common queue or common stores
// share the work: events arrive repeatedly and in any order at any receiver,
// each is handled once, and none takes effect after a newer event of its
// resource.
package sharetest
