import { html, type Markup } from '../../markup/markup.ts'
import type { ValueText } from './bars.ts'

export interface Rank {
  readonly name: string
  readonly value: number
}

interface RankChart {
  readonly title: string
  readonly caption: string
  readonly ranks: readonly Rank[]
  readonly valueText: ValueText
}

/** The drawing area in SVG units. The chart scales with the page. */
const width = 720
const rowHeight = 32
const barHeight = 20

/** Width of the column of names in SVG units. The column also fits the larger type on a phone. */
const nameWidth = 220

/** Width of the column of values in SVG units. The values fit into the column even in the larger font on a phone. */
const valueWidth = 120

/** Maximum number of characters of a name. The tooltip and the table of the page have the whole name. */
const nameMaxLength = 18

/**
 * Shows values below each other as SVG, each with its name, a bar and the value. The page shows a table with the exact
 * values below the chart. A value below zero has no bar.
 */
export function rankChart({ title, caption, ranks, valueText }: RankChart): Markup {
  const largest = Math.max(1, ...ranks.map(({ value }) => value))
  const row = ({ name, value }: Rank, index: number) => {
    const middle = index * rowHeight + rowHeight / 2
    const barWidth = (Math.max(0, value) / largest) * (width - nameWidth - valueWidth)
    return html`<g><title>${name}: ${valueText.full(value)}</title><text x="0" y="${middle}" dy="0.35em">${shortName(name)}</text><rect class="active" x="${nameWidth}" y="${middle - barHeight / 2}" width="${barWidth.toFixed(1)}" height="${barHeight}"/><text class="value" x="${(nameWidth + barWidth + 6).toFixed(1)}" y="${middle}" dy="0.35em">${valueText.short(value)}</text></g>`
  }
  return html`<figure><figcaption>${caption}</figcaption>
<svg class="chart" viewBox="0 0 ${width} ${ranks.length * rowHeight}" role="img" aria-label="${title}. The table below has the numbers.">${ranks.map(row)}</svg></figure>`
}

function shortName(name: string): string {
  const letters = Array.from(name)
  return letters.length <= nameMaxLength ? name : `${letters.slice(0, nameMaxLength - 1).join('')}…`
}
