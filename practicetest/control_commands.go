package practicetest

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"
	"slices"
	"time"
)

// commands returns all commands of the control interface. Each entry names the
// Go method that it calls.
func commands() []command {
	return slices.Concat(commandsOfTheService(), commandsOfTheApplication())
}

// commandsOfTheService returns the commands that configure the service and read
// its logs.
func commandsOfTheService() []command {
	const ok, done = http.StatusOK, http.StatusNoContent
	return []command{
		{"GET", "/openapi.yaml", "", ok, "", func(*Server, *http.Request) (any, error) { return controlDescription, nil }},
		{"POST", "/settle", "Settle", done, "", alone((*Server).Settle)},
		{"POST", "/flush", "Flush", done, "", reading((*Server).flushFor)},
		{"GET", "/clock", "Now", ok, "", asking((*Server).readClock)},
		{"POST", "/clock", "Advance", ok, "", reading((*Server).advanceClock)},
		{"PUT", "/clock", "Set", ok, "", reading((*Server).setClock)},
		{"GET", "/faults", "Faults", ok, "", asking(func(s *Server) any { return listOf(s.Faults(), wireFault) })},
		{"POST", "/faults", "Inject", done, "", reading((*Server).injectOne)},
		{"DELETE", "/faults", "ClearFaults", done, "", alone((*Server).ClearFaults)},
		{"GET", "/failures", "LateFailures", ok, "", asking(func(s *Server) any { return listOf(s.LateFailures(), asItIs) })},
		{"POST", "/failures", "FailWrite", done, "", reading((*Server).failOne)},
		{"POST", "/stubs", "Stub", done, "", reading((*Server).stubOne)},
		{"DELETE", "/stubs", "ClearStubs", done, "", alone((*Server).ClearStubs)},
		{"GET", "/unmet", "Unmet", ok, "", asking(func(s *Server) any { return listOf(s.Unmet(), asItIs) })},
		{"POST", "/emit", "Emit", done, "", reading((*Server).emitOne)},
		{"GET", "/violations", "Violations", ok, "last", latest((*Server).Violations, asItIs)},
		{"DELETE", "/violations", "ExcuseViolations", ok, "", asking(func(s *Server) any { return listOf(s.ExcuseViolations(), asItIs) })},
		{"GET", "/requests", "Requests", ok, "last bodies", (*Server).readRequests},
		{"DELETE", "/requests", "ResetRequests", done, "", alone((*Server).ResetRequests)},
		{"GET", "/deliveries", "Deliveries", ok, "last", latest((*Server).Deliveries, wireDelivery)},
		{"GET", "/subscriptions", "", ok, "", asking((*Server).readSubscriptions)},
		{"GET", "/changes", "Changes", ok, "last", latest((*Server).Changes, asItIs)},
		{"POST", "/tokens/expire", "ExpireTokens", done, "", alone((*Server).ExpireTokens)},
		{"POST", "/tokens/revoke", "RevokeRefreshToken", done, "", alone((*Server).RevokeRefreshToken)},
		{"GET", "/seed", "Seed", ok, "", asking(func(s *Server) any { return wireSeed{s.Seed(), s.Firm()} })},
		{"PUT", "/seed", "Reseed", ok, "", reading((*Server).reseedAs)},
		{"PUT", "/consistency", "SetConsistency", done, "", reading((*Server).changeConsistency)},
		{"POST", "/reset", "Reset", done, "", perhaps((*Server).resetWith)},
	}
}

// commandsOfTheApplication returns the commands that act as a user of the
// vendor's own application or read state that the API does not return.
func commandsOfTheApplication() []command {
	const ok, made, done = http.StatusOK, http.StatusCreated, http.StatusNoContent
	return []command{
		{"POST", "/records", "Add…", made, "", reading((*Server).addRecord)},
		{"GET", "/records", "Matter…", ok, "path", askingFor("path", (*Server).readRecord)},
		{"GET", "/records/lists", "", ok, "", asking((*Server).readLists)},
		{"GET", "/records/list", "Matter…", ok, "path skip", (*Server).readRecords},
		{"POST", "/records/delete", "DeleteEvent, DeleteFile, DeleteFolder", done, "", reading((*Server).deleteRecord)},
		{"POST", "/events/reschedule", "RescheduleEvent", done, "", reading((*Server).rescheduleOne)},
		{"POST", "/events/forget", "ForgetEvent", done, "", about("event", (*Server).ForgetEvent)},
		{"GET", "/files/content", "FileContent", ok, "id", askingFor("id", (*Server).readContent)},
		{"POST", "/files/content", "SetFileContent", done, "", reading((*Server).storeContent)},
		{"POST", "/matters/stage", "SetMatterStage", done, "", reading((*Server).stageOne)},
		{"POST", "/intake/answer", "AnswerIntakeSubmission", done, "", reading((*Server).answerOne)},
		{"POST", "/intake/cancel", "CancelIntakeSubmission", done, "", reading((*Server).cancelOne)},
		{"POST", "/cheques/present", "PresentCheques", done, "", about("matter with unpresented cheques", (*Server).PresentCheques)},
		{"POST", "/requisitions/approve", "ApproveRequisition", done, "", about("pending requisition", (*Server).ApproveRequisition)},
		{"POST", "/requisitions/reject", "RejectRequisition", done, "", about("pending requisition", (*Server).RejectRequisition)},
		{"POST", "/transactions/reverse", "ReverseTransaction", made, "", reading((*Server).reverseOne)},
		{"GET", "/portal/messages", "PortalMessages", ok, "", asking(func(s *Server) any { return listOf(s.PortalMessages(), asItIs) })},
		{"GET", "/portal/tasks", "PortalTasks", ok, "matterId", askingFor("matterId", (*Server).readTasks)},
		{"GET", "/invitations", "Invitations", ok, "", asking(func(s *Server) any { return listOf(s.Invitations(), asItIs) })},
		{"GET", "/external", "IDOfExternal", ok, "name", askingFor("name", (*Server).readExternal)},
	}
}

// alone returns a command that takes no input and returns no output.
func alone(do func(*Server)) func(*Server, *http.Request) (any, error) {
	return func(s *Server, r *http.Request) (any, error) {
		if err := noBody(r); err != nil {
			return nil, err
		}
		do(s)
		return nil, nil
	}
}

// asking returns a command that takes no input and returns output.
func asking(what func(*Server) any) func(*Server, *http.Request) (any, error) {
	return func(s *Server, r *http.Request) (any, error) {
		if err := noBody(r); err != nil {
			return nil, err
		}
		return what(s), nil
	}
}

// reading returns a command whose input is a single JSON object. Unknown
// members are refused, and so are objects that lack a member tagged "needed".
func reading[T any](do func(*Server, context.Context, T) (any, error)) func(*Server, *http.Request) (any, error) {
	return func(s *Server, r *http.Request) (any, error) {
		const largest = 16 << 20 // bytes; the body of a fault may be large
		if !isJSON(r.Header) {
			return nil, refuse(http.StatusUnsupportedMediaType, "The body must be application/json.")
		}
		d := json.NewDecoder(http.MaxBytesReader(nil, r.Body, largest))
		d.DisallowUnknownFields()
		var told *T
		if err := d.Decode(&told); err != nil {
			return nil, refuse(http.StatusBadRequest, "The body does not match the description of the command: %v", err)
		}
		if _, err := d.Token(); told == nil || !errors.Is(err, io.EOF) {
			return nil, refuse(http.StatusBadRequest, "The body must be a single JSON object.")
		}
		for member, value := range reflect.ValueOf(*told).Fields() {
			if member.Tag.Get("needed") != "" && value.IsZero() {
				return nil, lacking(member.Tag.Get("json"))
			}
		}
		return do(s, r.Context(), *told)
	}
}

// perhaps returns a command whose JSON input may be missing; see reading.
func perhaps[T any](do func(*Server, context.Context, T) (any, error)) func(*Server, *http.Request) (any, error) {
	return func(s *Server, r *http.Request) (any, error) {
		body := bufio.NewReader(r.Body)
		if _, err := body.Peek(1); errors.Is(err, io.EOF) {
			return do(s, r.Context(), *new(T))
		}
		r.Body = io.NopCloser(body)
		return reading(do)(s, r)
	}
}

// noBody refuses a request with a body. It accepts an empty object, because
// some HTTP clients cannot send an empty body.
func noBody(r *http.Request) error {
	body, err := io.ReadAll(io.LimitReader(r.Body, 64))
	if err != nil {
		return refuse(http.StatusBadRequest, "The body ended early.")
	}
	switch body = bytes.TrimSpace(body); {
	case len(body) == 0:
		return nil
	case !isJSON(r.Header):
		return refuse(http.StatusUnsupportedMediaType, "The body must be application/json.")
	case string(body) != "{}":
		return refuse(http.StatusBadRequest, "The command does not accept a body.")
	}
	return nil
}

// list is a response with several values. An empty list is written as [], not
// omitted.
type list[T any] struct {
	Value []T `json:"value"`
}

func listOf[T, W any](all []T, wire func(T) W) list[W] { return list[W]{mapped(all, wire)} }

func asItIs[T any](v T) T { return v }

func (s *Server) readClock() any { return wireClock{s.clock.Now().UTC(), s.clock.inner.Virtual()} }

func (s *Server) advanceClock(_ context.Context, told struct {
	AdvanceMilliseconds *int64 `json:"advanceMilliseconds" needed:"yes"`
}) (any, error) {
	by, err := milliseconds("advanceMilliseconds", *told.AdvanceMilliseconds, -longest)
	if err != nil {
		return nil, err
	}
	s.clock.Advance(by)
	return s.readClock(), nil
}

func (s *Server) setClock(_ context.Context, told struct {
	Now *time.Time `json:"now" needed:"yes"`
}) (any, error) {
	s.clock.Set(*told.Now)
	return s.readClock(), nil
}

func (s *Server) flushFor(ctx context.Context, told struct {
	Milliseconds *int64 `json:"milliseconds"`
}) (any, error) {
	limit := 10 * time.Second
	if told.Milliseconds != nil {
		var err error
		if limit, err = milliseconds("milliseconds", *told.Milliseconds, 0); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if s.Flush(ctx) != nil {
		return nil, refuse(http.StatusGatewayTimeout, "Some notifications have not been delivered yet.")
	}
	return nil, nil
}

func (s *Server) injectOne(_ context.Context, told controlFault) (any, error) {
	fault, err := told.fault()
	if err == nil && !s.answers(fault.Operation) {
		err = faulty("operation", "the operation %q does not exist%s", fault.Operation, s.router.meant(fault.Operation))
	}
	if err != nil {
		return nil, err
	}
	s.Inject(fault)
	return nil, nil
}

func (s *Server) failOne(_ context.Context, told struct {
	Operation string `json:"operation"`
	Message   string `json:"message"`
}) (any, error) {
	if !s.accepts(told.Operation) {
		return nil, faulty("operation", "the operation %q is not an asynchronous write%s", told.Operation, s.router.meant(told.Operation))
	}
	s.FailWrite(told.Operation, told.Message)
	return nil, nil
}

func (s *Server) reseedAs(_ context.Context, told controlSeed) (any, error) {
	now := s.Seed()
	seed := Seed{*cmp.Or(told.Number, &now.Number), *cmp.Or(told.Events, &now.Events), *cmp.Or(told.Matters, &now.Matters), *cmp.Or(told.Promotions, &now.Promotions)}
	if err := seed.check(); err != nil {
		return nil, refuse(http.StatusBadRequest, "%v", err)
	}
	s.Reseed(seed)
	return wireSeed{s.Seed(), s.Firm()}, nil
}

// changeConsistency handles the command that sets the consistency. Members that
// are missing from the body are set to 0.
func (s *Server) changeConsistency(_ context.Context, told struct {
	Min     int64             `json:"minDelayMilliseconds"`
	Max     int64             `json:"maxDelayMilliseconds"`
	List    int64             `json:"listLagMilliseconds"`
	Lead    int64             `json:"eventLeadMilliseconds"`
	Lag     int64             `json:"eventLagMilliseconds"`
	Pending PendingReferences `json:"pending"`
}) (any, error) {
	times := [5]time.Duration{}
	for i, n := range []int64{told.Min, told.Max, told.List, told.Lead, told.Lag} {
		var err error
		if times[i], err = milliseconds("a time", n, 0); err != nil {
			return nil, err
		}
	}
	c := Consistency{times[0], times[1], times[2], times[3], times[4], told.Pending}
	if err := c.check(); err != nil {
		return nil, refuse(http.StatusBadRequest, "%v", err)
	}
	s.SetConsistency(c)
	return nil, nil
}

// resetWith resets the service. If Clock is set, it rewinds the clock first.
func (s *Server) resetWith(_ context.Context, told struct {
	Clock bool `json:"clock"`
}) (any, error) {
	if told.Clock {
		s.clock.Rewind()
	}
	s.Reset()
	return nil, nil
}
