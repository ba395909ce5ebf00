// Package picture draws the results of the benchmarks: the time to decode, to
// walk over slow pages, and to walk under the limit of the service. It takes
// every figure from the text of the results.
package picture

import (
	"errors"
	"fmt"
	"html"
	"regexp"
	"strings"
)

// Draw returns the results as an SVG image for light and dark pages.
func Draw(results string) (string, error) {
	decoding, err := simple(results, `^\d+ calendar events`, "median")
	if err != nil {
		return "", err
	}
	walk, err := simple(results, `^\d+ events over \d+ pages`, "median")
	if err != nil {
		return "", err
	}
	limits, err := limits(results)
	if err != nil {
		return "", err
	}
	_, run, found := strings.Cut(results, "` with ")
	run, _, ended := strings.Cut(run, ".\n")
	if !found || !ended {
		return "", errors.New("the results do not say by what they were measured")
	}
	return page(run, append([]panel{decoding, walk}, limits...)), nil
}

// panel is one chart.
type panel struct {
	title, about string
	bars         []bar
}

func simple(results, title, column string) (panel, error) {
	found, text, err := section(results, regexp.MustCompile(title))
	if err != nil {
		return panel{}, err
	}
	all, err := bars(rows(text), column, func(map[string]string) string { return "" })
	return panel{title: found, about: "median time, shorter is better", bars: all}, err
}

// limits returns the walks under a rate limit, one panel for each latency of
// the service.
func limits(results string) ([]panel, error) {
	title, text, err := section(results, regexp.MustCompile(`requests a second$`))
	if err != nil {
		return nil, err
	}
	var panels []panel
	walks := rows(text)
	for _, latency := range values(walks, "latency") {
		all, err := bars(where(walks, "latency", latency), "time", refusals)
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel{
			title: strings.Replace(title, "of a service that allows", "at", 1),
			about: "time, shorter is better; answers take " + latency, bars: all,
		})
	}
	return panels, nil
}

func refusals(row map[string]string) string {
	switch {
	case row["all pages"] != "yes":
		return ", incomplete"
	case row["answers 429"] == "0":
		return ""
	default:
		return ", " + row["answers 429"] + " refused"
	}
}

// Dimensions of the picture in SVG units.
const (
	width, margin   = 960, 24
	column          = (width - 3*margin) / 2
	labelled        = 172 // horizontal start of the bars
	longest         = 140 // length of the longest bar
	pitch, thick    = 22, 14
	headed, panelAt = 50, 84 // heights of a panel's heading and of the picture's heading
)

// page arranges the panels in two columns, row by row.
func page(run string, panels []panel) string {
	var body strings.Builder
	top := panelAt
	for i := 0; i < len(panels); i += 2 {
		height := 0
		for j, p := range panels[i:min(i+2, len(panels))] {
			fmt.Fprintf(&body, "<g transform=\"translate(%d %d)\">\n%s</g>\n", margin+j*(column+margin), top, p.draw())
			height = max(height, headed+len(p.bars)*pitch)
		}
		top += height + margin
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-labelledby="title">
<title id="title">Benchmarks: this library beside what its users would take instead</title>
<style>%s</style>
<rect class="page" width="100%%" height="100%%" rx="8"/>
<text class="head" x="%d" y="38">This library beside what its users would take instead</text>
<text class="about" x="%d" y="60">%s. All figures: benchmarks/RESULTS.md</text>
%s</svg>
`, width, top, style, margin, margin, html.EscapeString(run), body.String())
}

const style = `
text { font: 13px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2328 }
.head { font-size: 19px; font-weight: 600 }
.title { font-weight: 600 }
.about, .peer { fill: #59636e }
.about { font-size: 12px }
.ours { font-weight: 600 }
.page { fill: #ffffff }
rect.ours { fill: #0969da }
rect.peer { fill: #afb8c1 }
.break { stroke: #ffffff; stroke-width: 3 }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc }
.about, .peer { fill: #9198a1 }
.page { fill: #0d1117 }
rect.ours { fill: #4493f8 }
rect.peer { fill: #4b535d }
.break { stroke: #0d1117 }
}
`

func (p panel) draw() string {
	var b strings.Builder
	fmt.Fprintf(&b, "<text class=\"title\" y=\"14\">%s</text>\n<text class=\"about\" y=\"32\">%s</text>\n",
		html.EscapeString(p.title), html.EscapeString(p.about))
	end := p.end()
	for i, one := range p.bars {
		class := "peer"
		if strings.HasPrefix(one.name, "practice") {
			class = "ours"
		}
		y, long := headed+i*pitch, longest*min(float64(one.took)/end, 1)
		fmt.Fprintf(&b, "<text class=\"%s\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", class, labelled-8, y+12, html.EscapeString(one.name))
		fmt.Fprintf(&b, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>\n", class, labelled, y, long, thick)
		if float64(one.took) > end {
			x := float64(labelled) + long - 16
			fmt.Fprintf(&b, "<path class=\"break\" d=\"M%.1f %d l6 -18 M%.1f %d l6 -18\"/>\n", x, y+thick+2, x+6, y+thick+2)
		}
		fmt.Fprintf(&b, "<text class=\"%s\" x=\"%.1f\" y=\"%d\">%s</text>\n", class, labelled+long+6, y+12, html.EscapeString(one.text))
	}
	return b.String()
}
