import { html, type Markup } from '../../markup/markup.ts'
import { count, type Tone } from '../../markup/parts.ts'

/** Bar charts as SVG. A table with the same numbers follows, for screen readers and for exact values. */

export interface Series {
  readonly title: string
  readonly tone: Tone
}

export interface Bar {
  /** The label below a bar of the chart, such as `21 Nov`. */
  readonly label: string
  /** The bar's value in each series of the chart, in the order of the series. */
  readonly values: readonly number[]
}

interface BarChart {
  readonly title: string
  /** Sentence that says which rows the bars count, and the limits of the counts. */
  readonly caption: string
  readonly series: readonly Series[]
  readonly bars: readonly Bar[]
  /** Number from which a count is incomplete, because counting stops there. Such a count is shown with a plus sign. */
  readonly countedMax?: number
}

/** The drawing area in SVG units. The chart scales with the page. */
const width = 720
const height = 200
const labelHeight = 20

/** Share of the width of a bar group that its bars occupy. */
const barShare = 0.7

/** Shows groups of bars side by side, scaled to the largest value. */
export function barChart({ title, caption, series, bars, countedMax }: BarChart): Markup {
  if (bars.every(({ values }) => values.every((value) => value === 0))) return emptyChart(caption)
  const largest = Math.max(1, ...bars.flatMap(({ values }) => values))
  const place = width / Math.max(1, bars.length)
  const barWidth = (place * barShare) / Math.max(1, series.length)
  const shown = (value: number) => (value === countedMax ? `${count(value)}+` : count(value))
  const rect = (left: number, value: number, { title: name, tone }: Series, label: string) => {
    const high = (value / largest) * (height - labelHeight)
    const top = height - labelHeight - high
    return html`<rect class="${tone}" x="${round(left)}" y="${round(top)}" width="${round(barWidth)}" height="${round(high)}"><title>${label}, ${name}: ${shown(value)}</title></rect>`
  }
  const group = ({ label, values }: Bar, index: number) => {
    const left = index * place + (place * (1 - barShare)) / 2
    const rects = series.map((each, at) => rect(left + at * barWidth, values[at] ?? 0, each, label))
    return html`${rects}<text x="${round(index * place + place / 2)}" y="${height - 5}" text-anchor="middle">${label}</text>`
  }
  return html`<figure><figcaption>${caption} ${legend(series)}</figcaption>
<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}. The table below has the numbers.">${bars.map(group)}</svg>
<details><summary>Show the numbers</summary>${numbers(title, series, bars, shown)}</details></figure>`
}

function emptyChart(caption: string): Markup {
  return html`<figure><figcaption>${caption}</figcaption><p class="none">Nothing to count in this period yet.</p></figure>`
}

function legend(series: readonly Series[]): Markup {
  return html`${series.map(({ title, tone }) => html`<span class="badge ${tone}">${title}</span> `)}`
}

function numbers(
  title: string,
  series: readonly Series[],
  bars: readonly Bar[],
  shown: (value: number) => string,
): Markup {
  const heads = series.map((each) => html`<th scope="col" class="number">${each.title}</th>`)
  const row = ({ label, values }: Bar) =>
    html`<tr><th scope="row">${label}</th>${values.map((value, at) => html`<td class="number" data-title="${series[at]?.title ?? ''}">${shown(value)}</td>`)}</tr>`
  return html`<div class="scroll" role="region" aria-label="${title}" tabindex="0"><table><caption>${title}</caption>
<thead><tr><th scope="col">Time</th>${heads}</tr></thead><tbody>${bars.map(row)}</tbody></table></div>`
}

/** Rounds to a tenth of an SVG unit, which is smaller than a pixel. */
function round(value: number): string {
  return value.toFixed(1)
}
