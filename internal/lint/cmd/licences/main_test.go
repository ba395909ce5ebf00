package main

import (
	"os"
	"testing"
	"testing/fstest"
)

func TestALicenceIsKnownByItsText(t *testing.T) {
	t.Parallel()
	own, err := os.ReadFile("../../../../LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ file, text, want string }{
		"known":        {"LICENCE.txt", string(own), "MIT"},
		"unknown":      {"LICENSE", "All rights reserved.", ""},
		"not its name": {"README", string(own), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := licenceIn(fstest.MapFS{test.file: {Data: []byte(test.text)}})
			if got != test.want || (err == nil) != (test.want != "") {
				t.Errorf("got %q and %v, want %q", got, err, test.want)
			}
		})
	}
}
