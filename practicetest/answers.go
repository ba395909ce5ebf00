package practicetest

// answerSchema lists the members of an object that is answered, in their order.
type answerSchema struct {
	record  bool   // it has href, relation, method and self too
	elem    string // of a page with members of its own: the object that it lists
	members schema
}
