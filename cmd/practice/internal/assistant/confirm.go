package assistant

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// confirmation is the name of the question about a write.
const confirmation = "confirmation"

// question ends a call of the tool write until the person has answered. The
// revision 2026-07-28 returns it to the client, which calls again with the
// answer; the SDK asks a client of an earlier revision itself.
type question struct{ *preview }

func (q *question) Error() string { return "the person has not confirmed the write yet" }

// result returns the question for the client.
func (q *question) result(masked func(string) string) *mcp.CallToolResult {
	return &mcp.CallToolResult{
		RequestState: q.nonce,
		InputRequests: mcp.InputRequestMap{confirmation: &mcp.ElicitParams{
			Mode: "form", Message: masked("Send this write?\n" + q.text), RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`),
		}},
	}
}

// confirmed is the tool that sends the write of a preview. If the client can
// ask the person, it asks first.
func (a *Assistant) confirmed(ctx context.Context, in *input) (string, error) {
	v, err := a.previews.look(in.Preview)
	if err != nil {
		return "", err
	}
	switch answer, answered := in.request.Params.InputResponses[confirmation].(*mcp.ElicitResult); {
	case answered && in.request.Params.RequestState == v.nonce && answer.Action == "accept":
		return a.write(ctx, v)
	case answered:
		if err := a.previews.take(v); err != nil {
			return "", err
		}
		return "", errors.New("the person declined the write: nothing was sent, and the preview is no longer valid")
	case canAsk(in.request.ClientCapabilities()):
		return "", &question{v}
	case a.Confirm:
		return "", errors.New("this client cannot ask the person for confirmation, which --require-confirmation requires: nothing was sent")
	}
	return a.write(ctx, v)
}

// canAsk reports whether a client can show a question to the person.
func canAsk(of *mcp.ClientCapabilities) bool {
	return of != nil && of.Elicitation != nil && (of.Elicitation.Form != nil || of.Elicitation.URL == nil)
}
