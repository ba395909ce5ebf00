package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/setup"
	"github.com/practicesdk/practice-go/internal/operations"
)

// The calls that write take records that the tour has made, in the place of
// records of the firm.
func own() map[string]string {
	return map[string]string{
		"FOLDER_ID": madeFolder, "WEBHOOK_ID": madeSubscription, "TAG_ID": madeTag, "TAG_NAME": madeTags,
	}
}

// once names replacements for records of the firm in calls that succeed only
// once with them.
func once(operationID, fact string) string {
	return map[string]string{
		"createFirm NEWCOMER_USER_ID":  madeOwner,
		"unprotectFunds PROTECTION_ID": recordOf("BankAccounts.ProtectFunds"),
		"cancelCharge CHARGE_ID":       recordOf("Subscriptions.CreateCharge"),
		"unsubscribeUsage USAGE_ID":    "NEW_USAGE_ID",
	}[operationID+" "+fact]
}

// operationSteps returns the operations of the registry, of some HTTP methods
// or with some ids.
func operationSteps(ctx context.Context, wanted func(operations.Operation, operations.Sketch) bool, alone bool) ([]step, error) {
	var steps []step
	for _, op := range operations.All() {
		sketch, err := op.Sketch(ctx)
		if err != nil {
			return nil, err
		}
		if wanted(op, sketch) {
			steps = append(steps, operationStep(op, sketch, alone))
		}
	}
	return steps, nil
}

// by chooses operations by their HTTP methods.
func by(methods ...string) func(operations.Operation, operations.Sketch) bool {
	return func(_ operations.Operation, s operations.Sketch) bool { return slices.Contains(methods, s.Method) }
}

// named chooses operations by their ids.
func named(ids []string) func(operations.Operation, operations.Sketch) bool {
	return func(op operations.Operation, _ operations.Sketch) bool { return slices.Contains(ids, op.ID) }
}

// operationStep calls an operation. One that is called alone finds nothing that
// the tour has made.
func operationStep(op operations.Operation, sketch operations.Sketch, alone bool) step {
	writes := sketch.Method != http.MethodGet
	creation, created := creationFor(op.Name)
	source := func(fact string) string {
		made := cmp.Or(own()[fact], once(op.ID, fact))
		switch {
		case writes && !alone && made != "":
			return made
		case writes && !alone && created && fact == sketch.Record:
			return recordOf(creation)
		case sketch.Method == http.MethodDelete && fact == sketch.Record:
			return "DELETE_" + fact
		case op.ID == "sendPortalMessage" && fact == "CONTACT_ID":
			return "MESSAGE_" + fact
		}
		return fact
	}
	s := step{name: op.Name, writes: writes}
	for _, fact := range append(sketch.Path, sketch.Rest...) {
		s.needs = append(s.needs, source(fact))
	}
	if op.ID == "sendPortalMessage" {
		s.needs = append(s.needs, "USER_ID")
	}
	s.call = func(ctx context.Context, t *tour) (string, error) {
		firm := operations.FirmOf(func(fact string) string { return t.value(source(fact)) })
		err := t.settled(ctx, s, func() error { return op.Call(ctx, t.Client, firm, t.asUser()...) })
		if err != nil {
			return "", err
		}
		return t.remember(op), nil
	}
	return s
}

// settled repeats a call on a record that the tour has made and that may have
// been accepted but not made yet.
func (t *tour) settled(ctx context.Context, s step, call func() error) error {
	if s.writes && slices.ContainsFunc(s.needs, func(name string) bool { return t.made[name] != "" }) {
		return setup.Await(ctx, call)
	}
	return call()
}

// asUser sets the user, which some operations require of a client that signs in
// by itself.
func (t *tour) asUser() []practice.CallOption {
	if id := t.value("USER_ID"); id != "" {
		return []practice.CallOption{practice.WithUserID(id)}
	}
	return nil
}

// remember stores the id that an operation has returned, and returns the length
// of its answer.
func (t *tour) remember(op operations.Operation) string {
	answer := t.wire.answer()
	var made struct{ ID, FileID string }
	_ = json.Unmarshal(answer, &made) // what has no id is not kept
	switch op.ID {
	case "createFile":
		t.made[madeFile] = made.FileID
	case "createWebhook":
		t.made[madeSubscription] = made.ID
	case "deleteWebhook":
		delete(t.made, madeSubscription)
	case "addContactTags":
		tags := op.Arguments(operations.Firm{})[1].([]string)
		t.made[madeTags] = tags[0]
	}
	if len(answer) == 0 {
		return "no content"
	}
	t.made[recordOf(op.Name)] = cmp.Or(made.ID, made.FileID)
	return fmt.Sprintf("%d bytes", len(answer))
}

// recordOf names the record that an operation has made.
func recordOf(creation string) string { return "record of " + creation }

// creationFor returns the operation that creates the record that another one
// changes or removes, if there is one that returns its id.
func creationFor(name string) (creation string, exists bool) {
	answers := map[string]bool{}
	for _, o := range practice.Operations() {
		answers[o.ID] = o.Answer != ""
	}
	for _, op := range operations.All() {
		made := strings.NewReplacer(".Create", ".", ".Add", ".").Replace(op.Name)
		if made != op.Name && answers[op.ID] && made == strings.NewReplacer(".Update", ".", ".Patch", ".", ".Delete", ".", ".Remove", ".").Replace(name) {
			return op.Name, true
		}
	}
	return "", false
}

// unknownID returns the first id that no operation has.
func unknownID(ids []string) (string, bool) {
	for _, id := range ids {
		if _, known := operations.ByID(id); !known {
			return id, true
		}
	}
	return "", false
}

// idsOf splits the value of -only.
func idsOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
}
