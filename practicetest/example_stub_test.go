package practicetest_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"

	"github.com/practicesdk/practice-go/practicetest"
)

// This example creates a client and replaces the response for one path.
func ExampleServer_Stub() {
	server, err := practicetest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = server.Close() }()
	client, err := server.NewClient()
	if err != nil {
		log.Fatal(err)
	}
	server.Stub("GET /staff/{id}", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"id": "`+r.PathValue("id")+`", "firstName": "Ada"}`)
	}))
	member, err := client.Staff.Get(context.Background(), server.Firm().StaffID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(member.FirstName)

	// A stub that no request meets is a mistake of the test. Unmet reports it.
	server.Stub("GET /staf/{id}", http.NotFoundHandler())
	for _, sentence := range server.Unmet() {
		fmt.Println(sentence)
	}
	server.ClearStubs()
	// Output:
	// Ada
	// the stub for "GET /staf/{id}" was not used by any request (example_stub_test.go:35)
}
