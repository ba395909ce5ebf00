package variants

import (
	"reflect"
	"slices"
	"strings"

	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/operations"
)

// Demanded returns the members that the service requires although the
// description does not, each with the reason.
func Demanded() map[string]string {
	return map[string]string{
		"createPolicy.principalId":               "a policy is about a user, a group or a resource",
		"createContact.company":                  "a contact is one of four kinds, and the fullest call has a company",
		"updateContact.company":                  "a contact is one of four kinds, and the fullest call has a company",
		"createContactRelation.relatedContactId": "the text says that it is needed",
		"createTransaction.amount":               "a deposit is more than nothing",
		"createTransaction.matterId":             "the account of the call holds money for clients",
		"createFirm.productId":                   "a firm has a product; the text says that it is needed",
		"updateFirm.productId":                   "the codes of add-ons come only together with that of a product",
		"createFirm.staff":                       "a firm has an owner; the text says that its user has to exist",
		"createTaskDocument.documentId":          "a tie needs a file or a memo",
		"sendPortalMessage.contactId":            "a message goes to a contact; the description does not say which members may be left out",
		"patchMatter.clientRole":                 "a lead that becomes a matter needs a role of the client",
		"patchMatter.matterTypeId":               "a lead that becomes a matter needs a type",
		"createMatter.clientIds":                 "the text says that a matter has a client",
		"createMatter.matterTypeId":              "the text says that a matter has a type",
		"createMatter.status":                    "the text says that a matter has a state",
		"createIntakeSubmission.formId":          "what is sent is a form",
		"createIntakeSubmission.recipient":       "the text says that the recipient needs a contact or an e-mail address",
	}
}

// always returns the members that the client requires in every call, each with
// the reason.
func always() map[string]string {
	return map[string]string{
		"updateWebhook.key":    "what becomes of a key that is left out is not stated",
		"createContact.person": "a contact is one of four kinds",
		"updateContact.person": "a contact is one of four kinds",
	}
}

// Least returns the arguments of a call without all that may be omitted.
func Least(op operations.Operation, as *description.Operation, firm operations.Firm) []any {
	c := changer{operation: as, good: op.Arguments(firm)}
	arguments := slices.Clone(c.good)
	c.eachArgument(argumentKinds{
		query: func(i int, options reflect.Value) { arguments[i] = reflect.Zero(options.Type()).Interface() },
		body: func(i int, schema *description.Schema) {
			least := reflect.New(reflect.TypeOf(arguments[i])).Elem()
			for _, member := range schema.Members {
				said, known := fieldOf(reflect.ValueOf(arguments[i]), member.Name)
				name := op.ID + "." + member.Name
				if known && (member.Required || !omitted(least, member.Name) || Demanded()[name] != "" || always()[name] != "") {
					field, _ := fieldOf(least, member.Name)
					field.Set(said)
				}
			}
			arguments[i] = least.Interface()
		},
	})
	return arguments
}

// omitted reports whether a zero field of a member is omitted from the body.
func omitted(body reflect.Value, name string) bool {
	for field := range body.Type().Fields() {
		if tag, option, _ := strings.Cut(field.Tag.Get("json"), ","); tag == name {
			return strings.HasPrefix(option, "omit")
		}
	}
	return true
}
