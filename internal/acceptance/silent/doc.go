// Package silent tests the own transport of a client on connections that fall
// silent. It is separate from package acceptance because its tests replace
// http.DefaultTransport.
package silent
