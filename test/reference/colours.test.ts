import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

/** This test compares the colours of code blocks itself, because axe skips many code blocks that scroll. */

const sheet = await readFile('src/reference/style/tokens.css', 'utf8')
const code = await readFile('src/reference/style/code.css', 'utf8')

const tokens = new Map(
  [...sheet.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g)].map(([, name = '', light = '', dark = '']) => {
    return [name, [light, dark] as const] as const
  }),
)

const tints = ['blue', 'green', 'amber', 'red', 'violet']
const pairs: readonly (readonly [text: string, ground: string])[] = [
  ...['text', 'soft', 'accent'].flatMap((text) => {
    return ['ground', 'raised', 'sunken', 'accent-ground', 'code-ground'].map((ground) => [text, ground] as const)
  }),
  ['text', 'mark'],
  ['soft', 'mark'],
  ...tints.flatMap((tint) => [[tint, `${tint}-ground`] as const, [tint, 'ground'] as const]),
  ...[...tokens.keys()].filter((name) => name.startsWith('t-')).map((name) => [name, 'code-ground'] as const),
]

/** The minimum contrast of WCAG 2.2 for normal text. */
const leastContrast = 4.5

test.for(pairs)('the colour --%s of the reference has enough contrast on --%s in the light and in the dark scheme', ([
  text,
  ground,
]) => {
  for (const scheme of [0, 1] as const) {
    const [over, under] = [tokens.get(text)?.[scheme] ?? '', tokens.get(ground)?.[scheme] ?? '']
    expect(contrast(over, under), `${over} on ${under}`).toBeGreaterThanOrEqual(leastContrast)
  }
})

test('code samples use only colours whose contrast is tested', () => {
  const used = [...code.matchAll(/ color: ([^;]+);/g)].map(([, value]) => value)
  const known = pairs.filter(([, ground]) => ground === 'code-ground').map(([text]) => `var(--${text})`)
  expect(used.length).toBeGreaterThan(0)
  expect(used.filter((value) => value !== undefined && !known.includes(value))).toEqual([])
})

/** Returns the contrast ratio of two colours (WCAG 2.2): from 1 for equal colours to 21 for black on white. */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
