import { writeFile } from 'node:fs/promises'
import bundledChromium from '@sparticuz/chromium'
import { chromium } from 'playwright-core'
import { generatedReference } from '../../src/reference/pages.ts'
import { writtenOrigin } from '../../src/reference/resource.ts'
import { openSite } from '../../src/reference/site.ts'

/**
 * `npm run screenshot`: writes generated/reference.png, the screenshot in the README. The script renders a page of the
 * committed reference in the Chromium of the browser tests; CHROME_PATH selects another browser.
 */
const shownPage = '/docs/api/refunds/createRefund'
/** Maximum size of the screenshot, because the README loads slowly with a larger file. */
const bytesMax = 200_000
const file = new URL('../../generated/reference.png', import.meta.url)

const site = await openSite(generatedReference)
const browser = await chromium.launch({
  executablePath: process.env.CHROME_PATH ?? (await bundledChromium.executablePath()),
  // Disables Chromium's sandbox when root starts it, because the sandbox does not work for root.
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' })
  await page.route('**/*', async (route) => {
    const resource = site.resources.get(new URL(route.request().url()).pathname)
    if (resource === undefined) return route.fulfill({ status: 404 })
    return route.fulfill({ contentType: resource.type, body: Buffer.from(await resource.body(writtenOrigin)) })
  })
  await page.goto(writtenOrigin + shownPage, { waitUntil: 'networkidle' })
  const image = await page.screenshot()
  if (image.length > bytesMax)
    throw new Error(`The screenshot has ${image.length} bytes. Select a page with less content.`)
  await writeFile(file, image)
  console.log(`generated/reference.png has ${Math.ceil(image.length / 1024)} KiB.`)
} finally {
  await browser.close()
}
