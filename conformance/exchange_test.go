package conformance_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"

	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

// exchange is a request to the API with its response.
type exchange struct {
	request *http.Request
	sent    []byte // the body of the request
	status  int
	header  http.Header
	answer  []byte // response body
}

// verdict is the result of validating an exchange.
type verdict struct {
	endpoint
	inRequest, inAnswer []error
	sent                request
	answered            []finding // members of the response
	prefixed            bool      // the path has an account prefix
}

// request lists the parts of the document that a valid request used.
type request struct {
	query, header, media []string
	members              []finding
	body                 bool
}

// judge validates an exchange against the document. An error means that it
// belongs to no operation.
func (d *document) judge(x exchange) (verdict, error) {
	route, values, err := d.router.FindRoute(x.request)
	if err != nil {
		return verdict{}, fmt.Errorf("%s %s: %w", x.request.Method, x.request.URL.Path, err)
	}
	v := verdict{
		endpoint: endpoint{route.Operation.OperationID, route.Method, route.Path, route.Operation},
		prefixed: values["accountId"] != "",
	}
	input := d.input(x, route, values)
	v.judgeRequest(x, input)
	v.judgeAnswer(x, input)
	return v, nil
}

func (d *document) input(x exchange, route *routers.Route, values map[string]string) *openapi3filter.RequestValidationInput {
	again := x.request.Clone(x.request.Context())
	again.Body, again.ContentLength = io.NopCloser(bytes.NewReader(x.sent)), int64(len(x.sent))
	again.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(x.sent)), nil }
	return &openapi3filter.RequestValidationInput{
		Request: again, PathParams: values, Route: route, Options: validation(),
	}
}

func (v *verdict) judgeRequest(x exchange, input *openapi3filter.RequestValidationInput) {
	if err := openapi3filter.ValidateRequest(x.request.Context(), input); err != nil {
		v.inRequest = append(v.inRequest, err)
	}
	v.judgeQuery(x.request.URL)
	for _, parameter := range v.Parameters {
		if parameter.Value.In == "header" && x.request.Header.Get(parameter.Value.Name) != "" {
			v.sent.header = append(v.sent.header, parameter.Value.Name)
		}
	}
	if v.sent.body = len(x.sent) > 0; !v.sent.body {
		return
	}
	v.sent.media = []string{x.request.Header.Get("Content-Type")}
	if form := v.requestSchema(); form != nil {
		members, err := findMembers(form, x.sent, v.id)
		v.sent.members = members
		v.inRequest = append(v.inRequest, unknownMembers(members, err)...)
	}
}

// judgeQuery reports query parameters that the document does not have. The
// OpenAPI library ignores them, but a strict service would not.
func (v *verdict) judgeQuery(address *url.URL) {
	values, err := url.ParseQuery(address.RawQuery)
	if err != nil {
		v.inRequest = append(v.inRequest, err)
	}
	for name, all := range values {
		described := v.Parameters.GetByInAndName("query", name)
		if described == nil && !slices.Contains(v.linked(), name) {
			v.inRequest = append(v.inRequest, fmt.Errorf("the query parameter %q is not described", name))
		}
		if len(all) > 1 && (described == nil || !described.Schema.Value.Type.Is("array")) {
			v.inRequest = append(v.inRequest, fmt.Errorf("the query parameter %q occurs twice", name))
		}
		v.sent.query = append(v.sent.query, name)
	}
}

func (v *verdict) judgeAnswer(x exchange, input *openapi3filter.RequestValidationInput) {
	answer := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: x.status, Header: x.header, Options: validation(),
	}
	if err := openapi3filter.ValidateResponse(x.request.Context(), answer.SetBodyBytes(x.answer)); err != nil {
		v.inAnswer = append(v.inAnswer, err)
	}
	if sent, echoed := x.request.Header.Get("RequestId"), x.header.Get("RequestId"); sent != echoed {
		v.inAnswer = append(v.inAnswer, fmt.Errorf("the RequestId %q came back as %q", sent, echoed))
	}
	described := v.Responses.Status(x.status)
	if described == nil {
		return
	}
	content := described.Value.Content.Get(x.header.Get("Content-Type"))
	switch {
	case len(described.Value.Content) == 0 && len(x.answer) > 0:
		v.inAnswer = append(v.inAnswer, errors.New("the answer has a body where none is described"))
	case content != nil && described.Value.Content[pdf] == nil:
		members, err := findMembers(content.Schema, x.answer, v.id)
		v.answered = members
		v.inAnswer = append(v.inAnswer, unknownMembers(members, err)...)
	}
	if x.status >= 400 && len(described.Value.Content) > 0 {
		v.judgeProblem(x)
	}
}

// judgeProblem compares the status in the body with the actual one.
func (v *verdict) judgeProblem(x exchange) {
	var problem struct{ Status *int }
	if err := json.Unmarshal(x.answer, &problem); err != nil || problem.Status == nil || *problem.Status != x.status {
		v.inAnswer = append(v.inAnswer, fmt.Errorf("the Problem object does not carry the status %d", x.status))
	}
}
