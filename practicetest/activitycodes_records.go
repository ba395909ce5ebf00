package practicetest

import "github.com/practicesdk/practice-go/models"

// AddActivityCode adds an activity code to the firm and returns its id.
func (s *Server) AddActivityCode(code models.ActivityCodeWrite) string {
	return s.enter("createActivityCode", &code)
}

// ActivityCode returns an activity code, and whether there is one with the id.
func (s *Server) ActivityCode(id string) (models.ActivityCode, bool) {
	return recordOf[models.ActivityCode](s, "/activitycodes/{id}", id)
}
