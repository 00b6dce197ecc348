import { html, type Markup, nothing } from '../../markup/markup.ts'
import { count, type Tone } from '../../markup/parts.ts'
import { type Scale, scaleOf } from './scale.ts'

/**
 * Renders bar charts as SVG. Below each chart, a table shows the same numbers, for screen readers and for exact values.
 */

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

export interface ValueText {
  /** Returns the text of a value in full, such as ₦12,500.00. */
  readonly full: (value: number) => string
  /** Returns the short text of a value, for the axis of the chart. */
  readonly short: (value: number) => string
}

interface BarChart {
  readonly title: string
  /** Sentence that states which rows the bars of the chart count, and the number at which counting stops. */
  readonly caption: string
  readonly series: readonly Series[]
  readonly bars: readonly Bar[]
  /**
   * Number at which counting stops. A bar with this value may stand for more rows, so its number is shown with a plus
   * sign.
   */
  readonly countedMax?: number
  /** Undefined if the values are counts. */
  readonly valueText?: ValueText
  /** Whether the page shows a table with the numbers below the chart. If not, the chart adds such a table. */
  readonly hasTable?: true
}

/** The drawing area in SVG units. The chart scales with the page. */
const width = 720
const height = 244

/**
 * Width of the column with the labels of the value axis, in SVG units. The labels fit even in the larger font on a
 * phone.
 */
const axisWidth = 76

/**
 * Heights in SVG units: `valueHeight` of the number above the highest bar, and `labelHeight` of the labels below the
 * bars.
 */
const valueHeight = 20
const labelHeight = 44

/** The bars of a group occupy this share of the group's width. The rest is space between the groups. */
const barShare = 0.7

/** Minimum width in SVG units for a label below the bars. On a phone, every second label is shown. */
const labelWidth = 50

const compact = new Intl.NumberFormat('en-NG', { notation: 'compact' })

const counts: ValueText = { full: count, short: (value) => compact.format(value) }

/** Shows groups of bars side by side, with an axis whose scale contains all values. */
export function barChart(chart: BarChart): Markup {
  const { title, caption, series, bars, countedMax, valueText = counts, hasTable } = chart
  if (bars.every(({ values }) => values.every((value) => value === 0))) return emptyChart(caption)
  const shown = (value: number) => (value === countedMax ? `${valueText.full(value)}+` : valueText.full(value))
  const scale = scaleOf(bars.flatMap(({ values }) => values))
  const table = html`<details><summary>Show the numbers</summary>${numbers(title, series, bars, shown)}</details>`
  return html`<figure><figcaption>${caption} ${legend(series)}</figcaption>
<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}. The table below has the numbers.">${axis(scale, valueText.short)}${groups(series, bars, { scale, shown })}${labels(bars)}</svg>
${hasTable === true ? nothing : table}</figure>`
}

function emptyChart(caption: string): Markup {
  return html`<figure><figcaption>${caption}</figcaption><p class="none">Nothing to count in this period yet.</p></figure>`
}

function topOf(value: number, { low, high }: Scale): number {
  return valueHeight + ((high - value) / (high - low)) * (height - valueHeight - labelHeight)
}

function axis(scale: Scale, short: ValueText['short']): Markup {
  const line = (tick: number) => {
    const top = round(topOf(tick, scale))
    return html`<line${tick === 0 ? html` class="zero"` : nothing} x1="${axisWidth}" x2="${width}" y1="${top}" y2="${top}"/><text x="${axisWidth - 6}" y="${top}" dy="0.35em" text-anchor="end">${short(tick)}</text>`
  }
  return html`<g class="axis">${scale.ticks.map(line)}</g>`
}

interface Drawing {
  readonly scale: Scale
  readonly shown: (value: number) => string
}

/** Returns the bars with their values as tooltips, and the values of the highest bars above them. */
function groups(series: readonly Series[], bars: readonly Bar[], drawing: Drawing): Markup {
  const { scale, shown } = drawing
  const barWidth = barWidthOf(series, bars)
  const zero = topOf(0, scale)
  const rect = (middle: number, value: number, { title: name, tone }: Series, label: string) => {
    const top = topOf(value, scale)
    return html`<rect class="${tone}" x="${round(middle - barWidth / 2)}" y="${round(Math.min(top, zero))}" width="${round(barWidth)}" height="${round(Math.abs(top - zero))}"><title>${label}, ${name}: ${shown(value)}</title></rect>`
  }
  const group = ({ label, values }: Bar, index: number) =>
    series.map((each, at) => rect(middleOf(series, bars, [index, at]), values[at] ?? 0, each, label))
  const value = (peak: Peak) =>
    html`<text class="value" x="${round(centreOf(peak))}" y="${round(peak.top - 5)}" text-anchor="middle">${peak.text}</text>`
  return html`${bars.map(group)}${peaksOf(series, bars, drawing).map(value)}`
}

/** The highest bar of a series, with its value above the bar. */
interface Peak {
  readonly value: number
  readonly text: string
  /** The horizontal position of the middle of the bar, and the vertical position of its upper end. */
  readonly middle: number
  readonly top: number
}

/**
 * Returns the highest bar of each series, the highest bar of the chart first. The first bar is always returned. Any
 * other bar is left out if its value is too wide for the bar, or would cover the value of a higher bar.
 */
function peaksOf(series: readonly Series[], bars: readonly Bar[], { scale, shown }: Drawing): readonly Peak[] {
  const peaks = series.flatMap((_, index): readonly Peak[] => {
    const value = Math.max(...bars.map(({ values }) => values[index] ?? 0))
    const at = bars.findIndex(({ values }) => values[index] === value)
    const middle = middleOf(series, bars, [at, index])
    return value > 0 ? [{ value, text: shown(value), middle, top: topOf(value, scale) }] : []
  })
  const [highest, ...others] = peaks.toSorted((one, other) => other.value - one.value)
  if (highest === undefined) return []
  const widest = barWidthOf(series, bars) + overhang
  const placed = [highest]
  for (const peak of others)
    if (widthOf(peak.text) <= widest && !placed.some((other) => overlap(peak, other))) placed.push(peak)
  return placed
}

function overlap(one: Peak, other: Peak): boolean {
  return (
    Math.abs(one.top - other.top) < valueHeight &&
    Math.abs(centreOf(one) - centreOf(other)) < (widthOf(one.text) + widthOf(other.text)) / 2
  )
}

/**
 * Number of SVG units by which the text of a value may be wider than its bar. The bars of a group have no space between
 * them, so the text may cover the adjacent bars by this width in total.
 */
const overhang = 8

/** Width of a character in SVG units, in the larger type on a phone. */
const characterWidth = 13

function widthOf(text: string): number {
  return text.length * characterWidth
}

/**
 * Returns the horizontal position of the middle of a value's text: the middle of its bar. If the text would cross an
 * edge of the drawing, returns the nearest position within the edges.
 */
function centreOf({ middle, text }: Peak): number {
  const half = widthOf(text) / 2
  return Math.max(axisWidth + half, Math.min(width - half, middle))
}

function labels(bars: readonly Bar[]): Markup {
  const place = placeOf(bars)
  const every = Math.ceil(labelWidth / place)
  const label = ({ label: text }: Bar, index: number) =>
    index % every === 0
      ? html`<text x="${round(axisWidth + index * place + place / 2)}" y="${height - 5}" text-anchor="middle">${text}</text>`
      : nothing
  return html`<g class="labels">${bars.map(label)}</g>`
}

/** Returns the width of the space for one group of bars. */
function placeOf(bars: readonly Bar[]): number {
  return (width - axisWidth) / Math.max(1, bars.length)
}

function barWidthOf(series: readonly Series[], bars: readonly Bar[]): number {
  return (placeOf(bars) * barShare) / Math.max(1, series.length)
}

/** Returns the horizontal position of the middle of a bar, by the index of its group and of its series. */
function middleOf(
  series: readonly Series[],
  bars: readonly Bar[],
  [group, index]: readonly [group: number, index: number],
): number {
  const place = placeOf(bars)
  return axisWidth + group * place + (place * (1 - barShare)) / 2 + (index + 0.5) * barWidthOf(series, bars)
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
