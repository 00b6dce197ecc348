import { expect, test } from 'vitest'
import { barChart } from '../../src/dashboard/charts/bars.ts'

const series = [
  { title: 'requests', tone: 'active' },
  { title: '4xx', tone: 'waiting' },
  { title: '5xx', tone: 'bad' },
] as const

interface ShownValue {
  readonly text: string
  readonly x: number
}

/** Returns the values that a chart shows above its bars, with the horizontal position of the middle of each text. */
async function valuesAbove(days: readonly (readonly number[])[]): Promise<readonly ShownValue[]> {
  const bars = days.map((values, index) => ({ label: `${index + 1} Nov`, values }))
  const shown = series.slice(0, days[0]?.length)
  const chart = String(await barChart({ title: 'Requests', caption: 'Requests of each day.', series: shown, bars }))
  const values = chart.matchAll(/<text class="value" x="([\d.]+)" y="[\d.]+" text-anchor="middle">([^<]+)</g)
  return [...values].map(([, x, text = '']) => ({ text, x: Number(x) }))
}

async function textsAbove(days: readonly (readonly number[])[]): Promise<readonly string[]> {
  return (await valuesAbove(days)).map(({ text }) => text)
}

const none = [0, 0, 0]

test('a bar chart shows the highest value of each series above its bar if the values do not overlap', async () => {
  expect(await textsAbove([none, [40, 0, 0], none, [0, 12, 0], none, [0, 0, 11], none])).toEqual(['40', '12', '11'])
  expect(await textsAbove([none, [60, 40, 20], none, none, none, none, none])).toEqual(['60', '40', '20'])
})

test('a bar chart leaves out the value of a series if the value would cover the value of any higher bar', async () => {
  expect(await textsAbove([none, [40, 39, 0], none, [0, 0, 11], none, none, none])).toEqual(['40', '11'])
  expect(await textsAbove([none, [40, 0, 0], none, [0, 12, 11], none, none, none])).toEqual(['40', '12'])
  expect(await textsAbove([none, [40, 0, 0], none, [0, 11, 12], none, none, none])).toEqual(['40', '12'])
})

test('a bar chart always shows the value of its highest bar, and leaves out any other value that is much wider than its bar', async () => {
  expect(await textsAbove([none, [400, 0, 0], none, [0, 120, 0], none, [0, 0, 11], none])).toEqual(['400', '11'])
})

test('a bar chart moves the text of a value that would cross an edge of the chart, so that the text ends at this edge', async () => {
  const wide = [1_000_000_000, 0, 0]
  const days = [none, none, none, none, none, none]
  // The text of the value has 13 characters, each 13 units wide. The bars are between 76 and 720 units.
  expect(await valuesAbove([wide, ...days])).toEqual([{ text: '1,000,000,000', x: 76 + (13 * 13) / 2 }])
  expect(await valuesAbove([...days, wide])).toEqual([{ text: '1,000,000,000', x: 720 - (13 * 13) / 2 }])
})

test('a bar chart does not show the value of a lower series if moving the value away from an edge would make it cover a higher value', async () => {
  const days = Array.from({ length: 40 }, () => [0, 0])
  expect(await textsAbove([[9, 0], [0, 10], ...days])).toEqual(['10'])
  expect(await textsAbove([[0, 0], [9, 0], [0, 10], ...days.slice(1)])).toEqual(['10', '9'])
})
