import axe from 'axe-core'
import type { Visit } from '../support/reference/browser.ts'

export interface View {
  readonly name: string
  readonly viewport: { readonly width: number; readonly height: number }
  readonly colorScheme: 'light' | 'dark'
}

export const desktop = { width: 1280, height: 900 }

/** The window size of the narrowest phones that are still on sale. */
export const phone = { width: 360, height: 740 }

/**
 * Two combinations of window size and colour scheme. Colours depend only on the colour scheme and the layout only on
 * the width. Two combinations that differ in both therefore find the same problems as all four, on pages that are made
 * of the same parts.
 */
export const views = {
  desktopLight: { name: 'desktop, light', viewport: desktop, colorScheme: 'light' },
  desktopDark: { name: 'desktop, dark', viewport: desktop, colorScheme: 'dark' },
  phoneLight: { name: 'phone, light', viewport: phone, colorScheme: 'light' },
  phoneDark: { name: 'phone, dark', viewport: phone, colorScheme: 'dark' },
} as const satisfies Readonly<Record<string, View>>

/**
 * Returns the accessibility violations that axe finds on the current page, and the elements that are too wide, for each
 * window size and colour scheme.
 */
export async function faultsOf({ page }: Visit, shown: readonly View[]): Promise<string[]> {
  await page.evaluate(axe.source)
  const faults: string[] = []
  for (const { name, viewport, colorScheme } of shown) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    const found = [...(await page.evaluate<string[]>(violations)), ...(await page.evaluate<string[]>(tooWide))]
    faults.push(...found.map((text) => `${page.url()} (${name}): ${text}`))
  }
  return faults
}

const violations = `axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ' ' + html.slice(0, 200))))`

/**
 * A table may scroll horizontally only on a desktop, because on a phone each of its rows is shown as a block. Code may
 * scroll on a desktop and on a phone.
 */
const tooWide = `[document.documentElement, ...(innerWidth <= ${phone.width} ? document.querySelectorAll('.scroll') : [])]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map((element) => element.tagName + ' is ' + (element.scrollWidth - element.clientWidth) + ' px too wide')`
