package practicetest_test

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/practicetest"
)

// family is a mistake that is possible in many operations.
type family struct {
	of   func(*description.Operation) bool
	make func(o *description.Operation, path string) mistake
}

// mistakesOfOperations applies each family to each operation in the API
// description.
func mistakesOfOperations(t *testing.T) (all []mistake) {
	t.Helper()
	document := describedAPI(t)
	for _, area := range document.Areas {
		for _, o := range area.Operations {
			for _, f := range slices.Concat(familiesOfAddresses(), familiesOfBodies()) {
				if f.of == nil || f.of(o) {
					all = append(all, f.make(o, pathOfOperation(o)))
				}
			}
			all = append(all, badIdentifiers(o)...)
		}
	}
	return all
}

// pathOfOperation returns the path of a valid request, with names of Firm's
// fields in braces instead of ids.
func pathOfOperation(o *description.Operation) string {
	op, known := operations.ByID(o.ID)
	path := o.Path
	if !known {
		return path
	}
	for i, argument := range op.Arguments(namedFirm())[:len(o.PathParameters)] {
		path = strings.Replace(path, "{"+o.PathParameters[i].Name+"}", fmt.Sprint(argument), 1)
	}
	return path
}

// namedFirm returns a Firm whose fields hold their own names in braces.
func namedFirm() (f practicetest.Firm) {
	for field, value := range reflect.ValueOf(&f).Elem().Fields() {
		if value.Kind() == reflect.String {
			value.SetString("{" + field.Name + "}")
			continue
		}
		for i := range 6 { // the number that valid requests choose from
			value.Set(reflect.Append(value, reflect.ValueOf("{"+field.Name+strconv.Itoa(i)+"}")))
		}
	}
	return f
}

func familiesOfAddresses() []family {
	paged := func(o *description.Operation) bool { return o.Paging != nil && o.Paging.Offset != "" }
	query := func(text, about string) func(*description.Operation, string) mistake {
		return func(o *description.Operation, path string) mistake {
			return mistake{o.HTTPMethod, path + "?" + text, "", "", 400, about}
		}
	}
	return []family{
		{nil, query("page=2", "page: is not a query parameter of the operation")},
		{nil, query("a=%zz", "the query string cannot be parsed")},
		{paged, query("limit=0", "imit: must be between 1 and 500")},
		{paged, query("LIMIT=501", "imit: must be between 1 and 500")},
		{paged, query("limit=all", "imit: must be an integer")},
		{paged, query("offset=-1", "ffset: must be between 0 and 2147483647")},
		{paged, query("offset=1&Offset=2", "ffset: must not occur more than once")},
		{nil, func(o *description.Operation, path string) mistake {
			return mistake{o.HTTPMethod, path + "/", "", "", 404, "no such path"}
		}},
		{nil, func(o *description.Operation, path string) mistake {
			return mistake{o.HTTPMethod, "/" + path, "", "", 404, "no such path"}
		}},
		{nil, func(o *description.Operation, path string) mistake {
			return mistake{o.HTTPMethod, "/" + strings.ToUpper(path[1:2]) + path[2:], "", "", 404, "no such path"}
		}},
		{nil, func(_ *description.Operation, path string) mistake {
			return mistake{"PURGE", path, "", "", 405, "the path does not support this method"}
		}},
		{nil, func(o *description.Operation, path string) mistake {
			return mistake{o.HTTPMethod, path, "", "x-api-key:", 403, "x-api-key"}
		}},
		{nil, func(o *description.Operation, path string) mistake {
			return mistake{o.HTTPMethod, path, "", "Authorization:", 401, "Authorization"}
		}},
		{nil, func(o *description.Operation, path string) mistake {
			return mistake{o.HTTPMethod, path, "", "UserId: nobody", 400, "UserId"}
		}},
		{nil, func(o *description.Operation, path string) mistake {
			return mistake{o.HTTPMethod, "/{account}" + path, "", "", 401, "account prefix"}
		}},
	}
}

func familiesOfBodies() []family {
	hasBody := func(o *description.Operation) bool { return o.Body != nil }
	isObject := func(o *description.Operation) bool { return o.Body != nil && !o.Body.List }
	reads := func(o *description.Operation) bool { return o.HTTPMethod == http.MethodGet }
	body := func(text, about string) func(*description.Operation, string) mistake {
		return func(o *description.Operation, path string) mistake {
			return mistake{o.HTTPMethod, path, text, "", 400, about}
		}
	}
	return []family{
		{reads, func(o *description.Operation, path string) mistake {
			return mistake{o.HTTPMethod, path, "{}", "", o.Status, "the operation does not accept a body"}
		}},
		{hasBody, func(o *description.Operation, path string) mistake {
			return mistake{o.HTTPMethod, path, "<a/>", "Content-Type: application/xml", 415, "the media type"}
		}},
		{hasBody, body(`"text"`, "the body is not ")},
		{hasBody, body("1", "the body is not ")},
		{hasBody, body("null", "the body is not ")},
		{hasBody, body("\xff", "the body is not valid UTF-8")},
		{isObject, body("{} {}", "followed by more data")},
		{isObject, body(`{"nobodyKnows":1}`, "nobodyKnows: is not a member of the object")},
		{isObject, body(`{"a":1,"a":2}`, "more than once")},
		{isObject, body(`{"a":`, "invalid JSON")},
		{isObject, body(`[{"op":"replace","path":"/name","value":"n"}]`, "not a JSON object")},
	}
}

// badIdentifiers returns mistakes with an id that is not a UUID, for each UUID
// in the path.
func badIdentifiers(o *description.Operation) (all []mistake) {
	template, good := strings.Split(o.Path, "/"), strings.Split(pathOfOperation(o), "/")
	for _, p := range o.PathParameters {
		if p.Type.Kind != description.UUID {
			continue
		}
		for _, bad := range []string{"garbage", "1", "%7Bid%7D"} {
			parts := slices.Clone(good)
			parts[slices.Index(template, "{"+p.Name+"}")] = bad
			all = append(all, mistake{o.HTTPMethod, strings.Join(parts, "/"), "", "", 400, p.Name + ": must be a UUID"})
		}
	}
	return all
}
