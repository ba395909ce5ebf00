package fuzztest

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/practicesdk/practice-go/internal/soak"
)

var randomTexts = flag.Int("random-texts", soak.Times(20_000, 500_000), "how many texts TestRandomTexts reads")

// TestRandomTexts decodes generated texts and changed texts of the corpus as
// every record of the service. Without the overhead of coverage guidance, it
// tries many more texts in the same time than the fuzzer. The texts depend only
// on their number.
func TestRandomTexts(t *testing.T) {
	t.Parallel()
	var known [][]byte
	files, err := filepath.Glob("testdata/corpus/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no corpus", err)
	}
	for _, file := range files {
		known = append(known, corpus(t, strings.TrimSuffix(filepath.Base(file), ".txt"))...)
	}
	const part = 1000 // number of texts with the same seed
	parts, workers := (*randomTexts+part-1)/part, runtime.GOMAXPROCS(0)
	for worker := range workers {
		t.Run(fmt.Sprint(worker), func(t *testing.T) {
			t.Parallel()
			for seed := worker; seed < parts; seed += workers {
				readRandomTexts(t, rand.New(rand.NewPCG(uint64(seed), 1)), known, part)
			}
		})
	}
}

func readRandomTexts(t *testing.T, random *rand.Rand, known [][]byte, n int) {
	t.Helper()
	for range n {
		s := subjects[random.IntN(len(subjects))]
		var text []byte
		if random.IntN(2) == 0 {
			text = generated(s.typ, randomBytes(random, 1+random.IntN(400)))
		} else {
			text = slices.Clone(known[random.IntN(len(known))])
		}
		for range random.IntN(4) {
			text = changed(random, text, known)
		}
		s.compare(t, text)
	}
}

// changed makes one change that breaks JSON or nearly does.
func changed(random *rand.Rand, text []byte, known [][]byte) []byte {
	if len(text) == 0 {
		return []byte("{}")
	}
	from := random.IntN(len(text))
	to := min(from+1+random.IntN(8), len(text))
	switch random.IntN(6) {
	case 0:
		text[from] = byte(random.Uint32())
		return text
	case 1:
		return slices.Delete(text, from, to)
	case 2:
		return slices.Insert(text, from, slices.Clone(text[from:to])...)
	case 3:
		parts := []string{"{", "}", "[", "]", ",", ":", `"`, `\`, "null", "{}", "0", "1e9", "-", " ", "\n", "\x00", "\xff", `\u0000`, `\ud800`, "é", `"id":`, `"rel":"x",`, `"value":[`}
		return slices.Insert(text, from, []byte(parts[random.IntN(len(parts))])...)
	case 4:
		other := known[random.IntN(len(known))]
		return append(text[:from:from], other[min(from, len(other)):]...)
	default:
		return text[:from]
	}
}
