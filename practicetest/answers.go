package practicetest

// answerSchema lists the members of an object that is answered, in their order.
type answerSchema struct {
	record  bool // it has href, relation, method and self too
	members schema
}
