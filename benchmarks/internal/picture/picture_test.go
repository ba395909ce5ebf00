package picture_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/benchmarks/internal/picture"
)

const results = `# Results

Written by ` + "`go run ./benchmarks`" + ` with go1.2.3, plan9/mips, 3 CPUs.

## 5 calendar events from a reader

|          |  median | allocs |
| -------- | ------: | -----: |
| practice |    2 ms |      1 |
| <hare>   |    4 ms |      1 |
| tortoise | 67.7 ms |      1 |

| figure | required |
| ------ | -------: |
| ahead  |        2 |

## 50 events over 4 pages of 60ms

|                       | median |
| --------------------- | -----: |
| hare                  |  600 ms |
| practice, 5 in flight |    1.5 s |

## 10 pages of a service that allows 5 requests a second

|          | latency | time | answers 429 | all pages |
| -------- | ------: | ---: | ----------: | --------: |
| practice |    60ms |  2 s |           0 |       yes |
| hare     |    60ms |  1 s |          12 |       yes |
| hare     |   400ms |  3 s |           4 |  page lost |
`

func draw(t *testing.T, text string) string {
	t.Helper()
	image, err := picture.Draw(text)
	require.NoError(t, err)
	return image
}

func TestEveryFigureStandsInTheResults(t *testing.T) {
	t.Parallel()
	image := draw(t, results)
	for _, text := range []string{
		">go1.2.3, plan9/mips, 3 CPUs. All figures: benchmarks/RESULTS.md<", ">5 calendar events from a reader<",
		">practice<", ">2 ms<", ">&lt;hare&gt;<", ">4 ms<", ">67.7 ms<", ">50 events over 4 pages of 60ms<", ">600 ms<", ">1.5 s<",
		">10 pages at 5 requests a second<", "answers take 60ms<", "answers take 400ms<", ">2 s<", ">1 s, 12 refused<", ">3 s, incomplete<",
	} {
		assert.Contains(t, image, text)
	}
	assert.NotContains(t, image, "ahead", "only contestants are drawn")
}

func TestThePictureIsWellFormedAndForBothColourSchemes(t *testing.T) {
	t.Parallel()
	image := draw(t, results)
	reader := xml.NewDecoder(strings.NewReader(image))
	for {
		_, err := reader.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
	}
	assert.Contains(t, image, "prefers-color-scheme: dark")
	assert.Contains(t, image, `role="img" aria-labelledby="title"`)
}

func TestBarsAreAsLongAsTheTimes(t *testing.T) {
	t.Parallel()
	image := draw(t, strings.Replace(results, "67.7 ms", "8 ms", 1))
	assert.Contains(t, image, `class="ours" x="172" y="50" width="35.0"`, "2 of 8 ms")
	assert.Contains(t, image, `class="peer" x="172" y="72" width="70.0"`, "4 of 8 ms")
	assert.Contains(t, image, `class="peer" x="172" y="94" width="140.0"`)
	assert.NotContains(t, image, `<path class="break"`)
}

func TestABarThatIsFarTooLongIsBroken(t *testing.T) {
	t.Parallel()
	image := draw(t, results)
	assert.Equal(t, 1, strings.Count(image, `<path class="break"`))
	assert.Contains(t, image, `class="peer" x="172" y="72" width="121.7"`, "the others keep their scale: 4 of 4.6 ms")
}

func TestResultsThatLackAFigureAreRefused(t *testing.T) {
	t.Parallel()
	for lost, reason := range map[string]string{
		"## 5 calendar": "no table ^\\d+ calendar events",
		"## 50 events":  "no table ^\\d+ events over",
		"## 10 pages":   "no table requests a second$",
		"` with ":       "do not say by what",
		"2 ms":          `median of practice: "" is no time`,
		"1.5 s":         `median of practice, 5 in flight: "" is no time`,
		"1 s":           `time of hare: "" is no time`,
		"    4 ms ":     `median of <hare>: "" is no time`,
	} {
		_, err := picture.Draw(strings.Replace(results, lost, "", 1))
		assert.ErrorContains(t, err, reason, lost)
	}
}
