package practicetest

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/practicesdk/practice-go/models"
)

// asProblem converts the error of a refused command to a problem.
func asProblem(err error) error {
	if refused := (*problem)(nil); errors.As(err, &refused) {
		return refused
	}
	if pending := (*pendingError)(nil); errors.As(err, &pending) {
		return notFound(pending.of.name)
	}
	return refuse(http.StatusBadRequest, "%v", err)
}

// orMissing returns a 404 problem unless the object exists.
func orMissing(there bool, what string) error {
	if there {
		return nil
	}
	return refuse(http.StatusNotFound, "The %s does not exist.", what)
}

// about returns a command whose only input is an id. do returns false if the id
// is unknown.
func about(what string, do func(*Server, string) bool) func(*Server, *http.Request) (any, error) {
	return reading(func(s *Server, _ context.Context, told controlID) (any, error) {
		return nil, orMissing(do(s, told.ID), what)
	})
}

// askingFor returns a command that reads what a required query parameter
// identifies.
func askingFor(parameter string, what func(s *Server, named string) (any, error)) func(*Server, *http.Request) (any, error) {
	return func(s *Server, r *http.Request) (any, error) {
		if err := noBody(r); err != nil {
			return nil, err
		}
		named := r.URL.Query().Get(parameter)
		if named == "" {
			return nil, lacking(parameter)
		}
		return what(s, named)
	}
}

func (s *Server) rescheduleOne(_ context.Context, told struct {
	ID string `json:"id" needed:"yes"`
	By *int64 `json:"byMilliseconds" needed:"yes"`
}) (any, error) {
	by, err := milliseconds("byMilliseconds", *told.By, -longest)
	if err != nil {
		return nil, err
	}
	return nil, orMissing(s.RescheduleEvent(told.ID, by), "event")
}

func (s *Server) storeContent(_ context.Context, told struct {
	ID string `json:"id" needed:"yes"`
	controlBody
}) (any, error) {
	content, err := told.content()
	switch {
	case err != nil:
		return nil, err
	case content == nil:
		return nil, lacking("body")
	}
	return nil, orMissing(s.SetFileContent(told.ID, content), "file")
}

func (s *Server) readContent(id string) (any, error) {
	content, there := s.FileContent(id)
	return controlBodyOf(content), orMissing(there, "file, or its content,")
}

func (s *Server) stageOne(_ context.Context, told struct {
	MatterID string `json:"matterId" needed:"yes"`
	StageID  string `json:"stageId" needed:"yes"`
}) (any, error) {
	return s.change(movedTo(told.MatterID, told.StageID))
}

func (s *Server) answerOne(_ context.Context, told struct {
	ID      string            `json:"id" needed:"yes"`
	Answers []json.RawMessage `json:"answers" needed:"yes"`
}) (any, error) {
	sections := value{kind: kindList, elem: &value{kind: kindObject}}
	if wrong := sections.fault(encode(told.Answers), false); wrong != "" {
		return nil, faulty("answers", "%s", wrong)
	}
	return s.change(answered(told.ID, encode(told.Answers)))
}

func (s *Server) cancelOne(_ context.Context, told controlID) (any, error) {
	return s.change(submissionMoved(told.ID, models.IntakeSubmissionStatusCancelled, nil))
}

// change applies a change that a user makes in the vendor's own application.
func (s *Server) change(do func(*tx) error) (any, error) {
	if err := s.applied(do); err != nil {
		return nil, asProblem(err)
	}
	return nil, nil
}

func (s *Server) reverseOne(_ context.Context, told controlID) (any, error) {
	id := s.ReverseTransaction(told.ID)
	return controlID{id}, orMissing(id != "", "reversible transaction")
}

func (s *Server) readExternal(name string) (any, error) {
	id, there := s.IDOfExternal(name)
	return controlID{id}, orMissing(there, "external id")
}

func (s *Server) readTasks(matterID string) (any, error) {
	if _, there := s.Matter(matterID); !there {
		return nil, orMissing(false, "matter")
	}
	return listOf(s.PortalTasks(matterID), asItIs), nil
}
