package examples_test

import (
	"go/types"
	"slices"
	"strings"
)

// spoken lists methods that programs call indirectly: through error, fmt,
// encoding/json, log/slog and the codec of the records.
var spoken = []string{
	"Error", "Unwrap", "Is", "String", "GoString", "Format", "LogValue", "ApplyVendorPrefix",
	"MarshalJSON", "UnmarshalJSON", "MarshalJSONTo", "UnmarshalJSONFrom", "MarshalText", "UnmarshalText",
}

// exported returns the exported names of a package that need an example:
// package-level names, and methods of its types. It excludes fields, methods of
// interfaces and constants of a named type, which are learned from their type,
// and methods called through an interface that the type is meant to implement.
func exported(pkg *types.Package, through []*types.Interface) []string {
	var names []string
	for _, name := range pkg.Scope().Names() {
		object := pkg.Scope().Lookup(name)
		if !object.Exported() || isValue(object) || isOurs(object) {
			continue
		}
		names = append(names, nameOf(object))
		named, ok := object.Type().(*types.Named)
		if _, isType := object.(*types.TypeName); !ok || !isType {
			continue
		}
		for method := range named.Methods() {
			if method.Exported() && !slices.Contains(spoken, method.Name()) && !isCalledThrough(through, named, method.Name()) {
				names = append(names, nameOf(method))
			}
		}
	}
	return names
}

// isOurs reports whether a variable has a type that programs cannot name. Such
// variables connect packages of the library.
func isOurs(object types.Object) bool {
	named, ok := object.Type().(*types.Named)
	_, isVariable := object.(*types.Var)
	return ok && isVariable && named.Obj().Pkg() == object.Pkg() && !named.Obj().Exported()
}

// isValue reports whether an object is a constant of a named type of its
// package.
func isValue(object types.Object) bool {
	constant, ok := object.(*types.Const)
	if !ok {
		return false
	}
	named, ok := constant.Type().(*types.Named)
	return ok && named.Obj().Pkg() == constant.Pkg()
}

// isCalledThrough reports whether a method is in one of the interfaces that a
// type implements.
func isCalledThrough(through []*types.Interface, named *types.Named, method string) bool {
	if named.TypeParams() != nil {
		return false
	}
	return slices.ContainsFunc(through, func(of *types.Interface) bool {
		for one := range of.Methods() {
			if one.Name() == method {
				return types.Implements(types.NewPointer(named), of)
			}
		}
		return false
	})
}

// interfaces returns the interfaces that a package exports.
func interfaces(pkg *types.Package) (all []*types.Interface) {
	for _, name := range pkg.Scope().Names() {
		object := pkg.Scope().Lookup(name)
		of, ok := object.Type().Underlying().(*types.Interface)
		if _, isType := object.(*types.TypeName); ok && isType && object.Exported() && of.NumMethods() > 0 {
			all = append(all, of)
		}
	}
	return all
}

// nameOf returns the name in the usual form: package, type and method. An
// instance of a generic type has the name of the generic type.
func nameOf(object types.Object) string {
	if object.Pkg() == nil {
		return object.Name()
	}
	prefix := strings.TrimPrefix(strings.TrimPrefix(object.Pkg().Path(), library), "/")
	if prefix == "" {
		prefix = "practice"
	}
	method, ok := object.(*types.Func)
	if !ok {
		return prefix + "." + object.Name()
	}
	method = method.Origin()
	receiver := method.Signature().Recv()
	if receiver == nil {
		return prefix + "." + method.Name()
	}
	of := receiver.Type()
	if pointer, ok := of.(*types.Pointer); ok {
		of = pointer.Elem()
	}
	if named, ok := of.(*types.Named); ok {
		return prefix + "." + named.Obj().Name() + "." + method.Name()
	}
	return prefix + "." + method.Name()
}

// uses counts the names that a source uses. A type counts as used if a value of
// it is used, because its name need not be written then.
func uses(objects map[string]bool, used types.Object) {
	objects[nameOf(used)] = true
	if used.Pkg() == nil || !strings.HasPrefix(used.Pkg().Path(), library) {
		return
	}
	mark(objects, used.Type(), 0)
}

// mark counts the types of a value, of its parameters and of its results. The
// types of a record's fields count as well.
func mark(objects map[string]bool, of types.Type, depth int) {
	if depth > 8 {
		return
	}
	switch of := of.(type) {
	case *types.Named:
		objects[nameOf(of.Obj())] = true
		if record, ok := of.Underlying().(*types.Struct); ok && isModel(of.Obj()) {
			for field := range record.Fields() {
				mark(objects, field.Type(), depth+1)
			}
		}
		for argument := range of.TypeArgs().Types() {
			mark(objects, argument, depth+1)
		}
	case *types.Alias:
		objects[nameOf(of.Obj())] = true
		mark(objects, types.Unalias(of), depth+1)
	case *types.Pointer:
		mark(objects, of.Elem(), depth+1)
	case *types.Slice:
		mark(objects, of.Elem(), depth+1)
	case *types.Map:
		mark(objects, of.Elem(), depth+1)
	case *types.Signature:
		for parameter := range of.Params().Variables() {
			mark(objects, parameter.Type(), depth+1)
		}
		for result := range of.Results().Variables() {
			mark(objects, result.Type(), depth+1)
		}
	}
}

func isModel(object types.Object) bool {
	return object.Pkg() != nil && object.Pkg().Path() == library+"/models"
}
