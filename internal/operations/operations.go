// Package operations lists the operations of the API, each with a call that
// succeeds. The ids in its path are derived; the rows in the files add arguments
// that cannot be derived, such as a body. Tests, examples and benchmarks use these
// calls instead of writing their own.
package operations

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// Firm holds the ids of the records for which calls are made.
type Firm = practicetest.Firm

// Operation is an operation of the API that the client offers.
type Operation struct {
	Name string // name of the method, such as "Fees.Patch"
	ID   string // operationId in the description, such as "patchFee"

	from *origin
}

// All returns every operation, area by area.
func All() []Operation { return slices.Clone(every()) }

var every = sync.OnceValue(func() (all []Operation) {
	described := practice.Operations()
	records, areas := recordsOf(described), AreaOf()
	for _, o := range described {
		all = append(all, Operation{o.GoMethod, o.ID, &origin{o.Path, o.Parameters, records, areas[o.ID]}})
	}
	return all
})

// ByID returns the operation with an operationId, and reports whether there is
// one.
func ByID(id string) (op Operation, known bool) {
	for _, o := range every() {
		if o.ID == id {
			return o, true
		}
	}
	return Operation{}, false
}

// Area returns the name of the service, such as "Fees".
func (o Operation) Area() string {
	area, _, _ := strings.Cut(o.Name, ".")
	return area
}

// Call makes a call that succeeds.
func (o Operation) Call(ctx context.Context, client *practice.Client, firm Firm, opts ...practice.CallOption) error {
	return o.CallWith(ctx, client, o.Arguments(firm), opts...)
}

// CallWith calls the method with other arguments.
func (o Operation) CallWith(ctx context.Context, client *practice.Client, arguments []any, opts ...practice.CallOption) error {
	method, err := o.method(client)
	if err != nil {
		return err
	}
	given := []reflect.Value{reflect.ValueOf(ctx)}
	for _, argument := range arguments {
		given = append(given, reflect.ValueOf(argument))
	}
	if err := o.fit(method.Type(), given); err != nil {
		return err
	}
	results := method.CallSlice(append(given, reflect.ValueOf(opts)))
	failed, _ := results[len(results)-1].Interface().(error)
	return failed
}

// ByClient reports whether the operation requires a token of the client
// credentials grant.
func (o Operation) ByClient() bool { return o.ID == "requestPluginURL" }

// ClientOptions returns the client options that the successful call needs in
// addition to those of the embedded service.
func (o Operation) ClientOptions(server *practicetest.Server) []practice.ClientOption {
	if !o.ByClient() {
		return nil
	}
	own := server.Credentials()
	return []practice.ClientOption{practice.WithTokens(auth.ClientCredentials{
		TokenURL: server.TokenURL(), ClientID: own.ClientID, ClientSecret: models.NewSecret(own.ClientSecret),
	})}
}

// Method returns the type of the method, whose parameters begin with the
// context and end with the options. It returns nil if the client has no such
// method.
func (o Operation) Method() reflect.Type {
	method, err := o.method(new(practice.Client))
	if err != nil {
		return nil
	}
	return method.Type()
}

func (o Operation) method(client *practice.Client) (reflect.Value, error) {
	area, name, _ := strings.Cut(o.Name, ".")
	service := reflect.ValueOf(client).Elem().FieldByName(area)
	if !service.IsValid() || service.Kind() != reflect.Pointer {
		return service, fmt.Errorf("operations: the client does not have the service %s", area)
	}
	method := service.MethodByName(name)
	if !method.IsValid() {
		return method, fmt.Errorf("operations: the client does not have the method %s", o.Name)
	}
	return method, nil
}

// fit returns an error unless the method accepts the arguments.
func (o Operation) fit(method reflect.Type, given []reflect.Value) error {
	if want := method.NumIn() - 1; len(given) != want {
		return fmt.Errorf("operations: %s takes %d arguments between the context and the options, not %d", o.Name, want-1, len(given)-1)
	}
	for i, value := range given {
		if want := method.In(i); !value.IsValid() || !value.Type().AssignableTo(want) {
			return fmt.Errorf("operations: argument %d of %s must be %s, not %v", i, o.Name, want, value)
		}
	}
	return nil
}
