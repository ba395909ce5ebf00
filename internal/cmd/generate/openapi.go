package main

import "github.com/practicesdk/practice-go/internal/description"

// openapi returns the joined document of the operations.
func openapi(d *description.Document) (map[string][]byte, error) {
	text, err := d.OpenAPI()
	return map[string][]byte{description.Joined: text}, err
}
