package main

import (
	"testing"
	"testing/fstest"
)

func TestALicenceIsKnownByItsSentences(t *testing.T) {
	t.Parallel()
	const bsd = "Redistribution and use in source and binary forms, with or without\nmodification, are permitted provided that"
	for name, test := range map[string]struct{ file, text, want string }{
		"MIT":          {"LICENSE", "Permission is hereby granted, free of charge, to any person.\nThe above copyright notice and this permission notice shall be included", "MIT"},
		"Apache":       {"LICENSE.txt", "  Apache License\n  Version 2.0, January 2004\n", "Apache-2.0"},
		"BSD, three":   {"License.md", bsd + " may be used to endorse or promote products derived from\nthis software", "BSD-3-Clause"},
		"BSD, two":     {"COPYING", bsd, "BSD-2-Clause"},
		"MPL":          {"LICENCE", "Mozilla Public License Version 2.0", "MPL-2.0"},
		"two":          {"LICENSE", "Licensed under the Apache License, Version 2.0.\n" + bsd, "Apache-2.0 AND BSD-2-Clause"},
		"unknown":      {"LICENSE", "All rights reserved.", ""},
		"not its name": {"README", "Apache License Version 2.0, January 2004", ""},
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
