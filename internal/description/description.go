package description

//go:generate go run ../cmd/generate openapi kinds assistants
