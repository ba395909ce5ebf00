package practicetest

// answerSchema describes an object in responses. The members are in the order
// in which they are written.
type answerSchema struct {
	record  bool   // also has the members href, relation, method and self
	elem    string // schema of the page's items, if the page has members of its own
	members schema
}
