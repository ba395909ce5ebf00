package main

import "github.com/practicesdk/practice-go/internal/description"

// openapi is the joined document of what the client offers.
func openapi(d *description.Document) (map[string][]byte, error) {
	text, err := d.OpenAPI()
	return map[string][]byte{description.Joined: text}, err
}
