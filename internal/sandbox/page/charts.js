import { make, shape, time } from './element.js'

const width = 380, height = 170, left = 50, right = 8, top = 22, bottom = 22
const span = 10 * 60 * 1000 // what a chart shows at most, in milliseconds

// period is the time that a chart shows: up to now, or to the latest of the moments
// when nothing has happened for long.
function period(moments, now) {
  const latest = Math.max(...moments)
  const to = now - latest > span ? latest + 1000 : Math.max(now, latest + 1000)
  return { from: Math.max(Math.min(...moments), to - span) - 1000, to }
}

const clockTime = (moment, withDay) => time(new Date(moment).toISOString()).slice(withDay ? 0 : 11)

// frame draws axes, the largest value and the times at both ends, and a legend.
function frame(most, { from, to }, legend) {
  const base = height - bottom
  let x = left
  const entries = legend.flatMap(([name, label]) => {
    const entry = [shape('rect', { class: name, x, y: 4, width: 9, height: 9, rx: 2 }), shape('text', { x: x + 13, y: 12 }, label)]
    x += 26 + label.length * 6.2
    return entry
  })
  return [
    ...entries,
    shape('line', { class: 'axis', x1: left, y1: base, x2: width - right, y2: base }),
    shape('line', { class: 'axis', x1: left, y1: top, x2: width - right, y2: top, 'stroke-dasharray': '2 4' }),
    shape('text', { x: left - 6, y: top + 4, 'text-anchor': 'end' }, most),
    shape('text', { x: left - 6, y: base + 3, 'text-anchor': 'end' }, '0'),
    shape('text', { x: left, y: height - 6 }, clockTime(from, to - from > 12 * 3600 * 1000)),
    shape('text', { x: width - right, y: height - 6, 'text-anchor': 'end' }, clockTime(to)),
  ]
}

const nothing = (what) => [make('p', {}, `No ${what} yet.`)]
const picture = (label, ...shapes) => [shape('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label }, ...shapes)]

// bars counts things by time and class, and stacks the counts.
export function bars(block, things, now, legend, what) {
  const shownPeriod = things.length && period(things.map((one) => one.at), now)
  const shown = things.filter((one) => shownPeriod && one.at >= shownPeriod.from)
  if (!shown.length) return block.replaceChildren(...nothing(what))
  const count = 60, each = (shownPeriod.to - shownPeriod.from) / count
  const bins = Array.from({ length: count }, () => new Map())
  for (const one of shown) {
    const bin = bins[Math.min(count - 1, Math.floor((one.at - shownPeriod.from) / each))]
    bin.set(one.class, (bin.get(one.class) ?? 0) + 1)
  }
  const totals = bins.map((bin) => [...bin.values()].reduce((a, b) => a + b, 0))
  const most = Math.max(...totals), wide = (width - left - right) / count, tall = height - top - bottom
  const stacks = bins.flatMap((bin, i) => {
    let y = height - bottom
    return legend.filter(([name]) => bin.has(name)).map(([name]) => {
      const h = (bin.get(name) / most) * tall
      y -= h
      return shape('rect', { class: name, x: left + i * wide + 0.5, y, width: wide - 1, height: h })
    })
  })
  const unit = each < 1000 ? `${Math.round(each)} ms` : `${Math.round(each / 1000)} s`
  block.replaceChildren(...picture(`${shown.length} ${what}`, ...frame(most, shownPeriod, legend), ...stacks), make('small', {}, `${shown.length} ${what}; one bar is ${unit}`))
}

// dots shows how long each of some things took.
export function dots(block, things, now, legend) {
  const shownPeriod = things.length && period(things.map((one) => one.at), now)
  const shown = things.filter((one) => shownPeriod && one.at >= shownPeriod.from)
  if (!shown.length) return block.replaceChildren(...nothing('effect and no delivery'))
  const most = Math.max(1, ...shown.map((one) => one.took)), tall = height - top - bottom
  const points = shown.map((one) => shape('circle', {
    class: one.class, r: 3, cy: height - bottom - (Math.max(one.took, 0) / most) * tall,
    cx: left + ((one.at - shownPeriod.from) / (shownPeriod.to - shownPeriod.from)) * (width - left - right),
  }))
  const unit = most < 10000 ? `${Math.round(most)} ms` : `${Math.round(most / 1000)} s`
  block.replaceChildren(...picture('lag', ...frame(unit, shownPeriod, legend), ...points), make('small', {}, `the longest took ${unit}`))
}
