import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import bundledChromium from '@sparticuz/chromium'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { crawl, type Found } from './crawl.ts'
import { startDemo } from './start-demo.ts'

/**
 * `npm run screenshots`: starts the service with demo data and captures every page of the dashboard on a desktop and on a
 * phone, light and dark, into a folder of images. It also writes the two images in the README. CHROME_PATH selects a browser.
 */
const root = new URL('../../', import.meta.url)
const folder = fileURLToPath(new URL('node_modules/.cache/dashboard-screenshots/', root))

const devices = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 360, height: 740 },
}
const schemes = ['light', 'dark'] as const

/** The images in the README. It loads slowly with larger files. */
const shown = [
  { path: '', device: 'desktop', scheme: 'light', file: 'dashboard.png' },
  { path: '/orders/{id}', device: 'phone', scheme: 'dark', file: 'dashboard-phone.png' },
] as const
const bytesMax = 200_000

const demo = await startDemo()
const browser = await chromium.launch({
  executablePath: process.env.CHROME_PATH ?? (await bundledChromium.executablePath()),
  // Chromium’s sandbox does not work for root.
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
try {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const state = await signIn(browser)
  const { pages } = await inContext(browser, { storageState: state }, async (context) =>
    crawl(async (address) => (await context.request.get(demo.url + address)).text()),
  )
  for (const [device, viewport] of Object.entries(devices)) {
    for (const colorScheme of schemes) {
      await inContext(browser, { storageState: state, viewport, colorScheme }, async (context) => {
        const page = await context.newPage()
        for (const found of pages) await capture(page, found, { device, scheme: colorScheme })
      })
    }
  }
  console.log(`${pages.length} pages are in ${folder}`)
} finally {
  await browser.close()
  await demo.stop()
}

/** Signs the owner in with the link that the service printed, and returns the cookies. */
async function signIn(browser: Browser) {
  return inContext(browser, {}, async (context) => {
    const page = await context.newPage()
    await page.goto(demo.signInLink)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('New password').fill('three words and a comma')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.waitForURL(/settings/)
    return context.storageState()
  })
}

async function inContext<Result>(
  browser: Browser,
  options: Parameters<Browser['newContext']>[0],
  run: (context: BrowserContext) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext(options)
  try {
    return await run(context)
  } finally {
    await context.close()
  }
}

async function capture(
  page: Page,
  { path, address }: Found,
  view: { readonly device: string; readonly scheme: string },
): Promise<void> {
  await page.goto(demo.url + address, { waitUntil: 'networkidle' })
  const name = path === '' ? 'start' : path.slice(1).replaceAll(/[{}]/g, '').replaceAll('/', '-')
  await writeFile(join(folder, `${name}-${view.device}-${view.scheme}.png`), await page.screenshot({ fullPage: true }))
  const image = shown.find((each) => each.path === path && each.device === view.device && each.scheme === view.scheme)
  if (image === undefined) return
  const bytes = await page.screenshot()
  if (bytes.length > bytesMax)
    throw new Error(`${image.file} has ${bytes.length} bytes. Select a page with less content.`)
  await writeFile(new URL(`generated/${image.file}`, root), bytes)
}
