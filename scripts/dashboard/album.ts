import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const root = new URL('../../', import.meta.url)

/** The folder into which screenshots are written. It is not part of the repository. */
export const folder = fileURLToPath(new URL('node_modules/.cache/dashboard-screenshots/', root))

const devices = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 360, height: 740 },
}
const schemes = ['light', 'dark'] as const

/** The screenshots in the README. There are only four, because more images would slow down the loading of the README. */
const shown: Readonly<Record<string, string>> = {
  'live-start-desktop-light': 'dashboard.png',
  'answer-dispatch-offers-desktop-light': 'dashboard-dispatch.png',
  'live-orders-phone-light': 'dashboard-orders-phone.png',
  'live-orders-id-phone-dark': 'dashboard-phone.png',
}
const bytesMax = 200_000

export async function emptyFolder(): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
}

/** Captures the open page on a desktop and on a phone, light and dark, and leaves it on a desktop. */
export async function capture(page: Page, name: string): Promise<void> {
  for (const [device, viewport] of Object.entries(devices)) {
    await page.setViewportSize(viewport)
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme })
      const view = `${name}-${device}-${colorScheme}`
      await writeFile(join(folder, `${view}.png`), await page.screenshot({ fullPage: true }))
      const file = shown[view]
      if (file !== undefined) await captureForReadme(page, file)
    }
  }
  await page.setViewportSize(devices.desktop)
}

async function captureForReadme(page: Page, file: string): Promise<void> {
  const bytes = await page.screenshot()
  if (bytes.length > bytesMax) throw new Error(`${file} has ${bytes.length} bytes. Select a page with less content.`)
  await writeFile(new URL(`generated/${file}`, root), bytes)
}

/**
 * Returns the file name of a page's screenshots without its ending, such as `live-orders-id` for `/orders/{id}` in live
 * mode.
 */
export function nameOf(group: string, path: string): string {
  const words = path.split(/[^\w-]+/).filter((word) => word !== '')
  return [group, ...(words.length === 0 ? ['start'] : words)].join('-')
}
