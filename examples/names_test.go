package examples_test

import (
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/operations"
)

func TestEveryExportedNameOccursInAnExample(t *testing.T) {
	t.Parallel()
	sources := everything(t)
	c := checkerOf(t, sources)
	used := map[string]bool{}
	for _, s := range sources {
		objects, err := c.check(s)
		require.NoError(t, err)
		for _, object := range objects {
			uses(used, object)
		}
	}
	client, err := c.importer.Import(library)
	require.NoError(t, err)
	for _, op := range operations.All() {
		usesCalled(used, client, op)
	}
	service, err := c.importer.Import(library + "/practicetest")
	require.NoError(t, err)
	usesRecords(t, used, service)
	var checked []*types.Package
	var through []*types.Interface
	for _, path := range slices.Concat(paths(), interfacesOf) {
		pkg, err := c.importer.Import(path)
		require.NoError(t, err)
		through = append(through, interfaces(pkg)...)
		if strings.HasPrefix(path, library) {
			checked = append(checked, pkg)
		}
	}
	for _, pkg := range checked {
		names := exported(pkg, through)
		require.NotEmpty(t, names)
		for _, name := range names {
			assert.True(t, used[name], "%s is in no example, page or program", name)
		}
	}
}

// usesCalled counts the method of an operation, the one that iterates over the
// same list, and the one that modifies its record: each has a sample call in
// its reference page.
func usesCalled(used map[string]bool, client *types.Package, op operations.Operation) {
	_, method, _ := strings.Cut(op.Name, ".")
	service := client.Scope().Lookup(op.Area() + "Service")
	used[nameOf(service)] = true
	for _, name := range []string{method, strings.Replace(method, "List", "All", 1), strings.Replace(method, "Update", "Modify", 1)} {
		object, _, _ := types.LookupFieldOrMethod(types.NewPointer(service.Type()), false, client, name)
		if object != nil {
			uses(used, object)
		}
	}
}

// usesRecords counts the methods of the embedded service that add a record of a
// kind and read it back. They are similar, so an example of one kind is enough.
func usesRecords(t *testing.T, used map[string]bool, pkg *types.Package) {
	t.Helper()
	add, read := "practicetest.Server.AddActivityCode", "practicetest.Server.ActivityCode"
	assert.True(t, used[add] && used[read], "no example adds a record of its own and reads it back")
	server := types.NewPointer(pkg.Scope().Lookup("Server").Type())
	for method := range types.NewMethodSet(server).Methods() {
		of := method.Type().(*types.Signature)
		takes := of.Params().Len() > 0 && isRecord(of.Params().At(of.Params().Len()-1).Type())
		gives := of.Results().Len() == 2 && isRecord(of.Results().At(0).Type())
		if takes && strings.HasPrefix(method.Obj().Name(), "Add") || gives {
			uses(used, method.Obj())
		}
	}
}

func isRecord(of types.Type) bool {
	named, ok := of.(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == library+"/models"
}

func TestANameThatNobodyUsesIsFound(t *testing.T) {
	t.Parallel()
	s := block("page.md", 1, "_, _ = client.Staff.Get(ctx, staffID)\n")
	c := checkerOf(t, []source{s})
	objects, err := c.check(s)
	require.NoError(t, err)
	used := map[string]bool{}
	for _, object := range objects {
		uses(used, object)
	}
	assert.True(t, used["practice.StaffService.Get"])
	assert.True(t, used["models.StaffMember"], "a value of it is handled")
	assert.True(t, used["models.LicenceNumber"], "a field has it")
	assert.False(t, used["practice.StaffService.Delete"])
	assert.False(t, used["practice.ErrNotFound"])

	pkg, err := c.importer.Import(library)
	require.NoError(t, err)
	names := exported(pkg, nil)
	assert.Subset(t, names, []string{"practice.StaffService.Delete", "practice.ErrNotFound", "practice.DefaultTimeout", "practice.Client.With"})
	assert.NotContains(t, names, "practice.DirKept", "a value of DirAction")
	assert.NotContains(t, names, "practice.Error.Error", "fmt calls it")
}
