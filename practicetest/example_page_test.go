package practicetest_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing/fstest"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// This example serves a web page with the control interface.
func ExampleWithControlPage() {
	page := fstest.MapFS{"index.html": &fstest.MapFile{Data: []byte("<h1>Our firm</h1>")}}
	server, _, stop := started(practicetest.WithControl(), practicetest.WithControlPage(page))
	defer stop()
	answer, err := server.HTTPClient().Get(strings.TrimSuffix(server.ControlURL(), "/_sandbox") + "/")
	if err != nil {
		log.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	fmt.Println(string(text), err, answer.Body.Close())
	// Output:
	// <h1>Our firm</h1> <nil> <nil>
}

// This example saves changes in a state file, which the next service loads.
func ExampleWithStateFile() {
	dir, err := os.MkdirTemp("", "firm")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	state := practicetest.WithStateFile(filepath.Join(dir, "firm.state"))

	_, client, stop := started(state)
	created, err := client.ActivityCodes.Create(context.Background(), models.ActivityCodeWrite{Code: "ADV"})
	if err != nil {
		log.Fatal(err)
	}
	stop()

	server, _, stop := started(state)
	defer stop()
	server.Settle()
	code, there := server.ActivityCode(created.TargetID())
	fmt.Println(code.Code, there)
	// Output:
	// ADV true
}
