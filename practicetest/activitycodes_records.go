package practicetest

import "github.com/practicesdk/practice-go/models"

// AddActivityCode adds an activity code to the firm and returns its id.
func (s *Server) AddActivityCode(code models.ActivityCodeWrite) string {
	return s.enter("createActivityCode", &code)
}

// ActivityCode returns the activity code with the id and reports whether it
// exists.
func (s *Server) ActivityCode(id string) (models.ActivityCode, bool) {
	return recordOf[models.ActivityCode](s, "/activitycodes/{id}", id)
}
