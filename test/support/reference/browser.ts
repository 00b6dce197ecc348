import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject } from 'vitest'

const executablePath = inject('browserPath')

/** Skips the browser tests, with a message, when no browser is installed. */
export function describeInBrowser(name: string, tests: () => void): void {
  const isMissing = executablePath === ''
  describe.skipIf(isMissing)(isMissing ? `${name} (set CHROME_PATH to a Chromium)` : name, tests)
}

/** Starts one Chromium for a test file. Each visit has its own browser context, so visits share nothing. */
export function useBrowser(): (options?: BrowserContextOptions) => Promise<Visit> {
  let browser: Browser | undefined
  beforeAll(async () => {
    // Chromium’s own sandbox does not work for root.
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    browser = await chromium.launch({ executablePath, args })
  })
  afterAll(() => browser?.close())
  return async (options) => {
    if (browser === undefined) throw new Error('The browser runs only while the tests of the file run.')
    return openVisit(await browser.newContext(options))
  }
}

export interface Visit {
  readonly context: BrowserContext
  readonly page: Page
  /** Every URL that the page requested. */
  readonly requested: readonly string[]
  /** The errors of the page: requests that its content security policy blocked, failed requests and uncaught errors. */
  readonly complaints: readonly string[]
  close(): Promise<void>
}

async function openVisit(context: BrowserContext): Promise<Visit> {
  const page = await context.newPage()
  // Playwright’s default of 30 s is too short on a machine with many busy processes.
  page.setDefaultTimeout(120_000)
  const requested: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText
    // A navigation cancels the load and the live update of the page that it leaves, which is not an error of the page
    // that it leaves.
    const isLeft = reason === 'net::ERR_ABORTED' && ['document', 'fetch'].includes(request.resourceType())
    if (!isLeft) complaints.push(`${request.url()} failed: ${reason}`)
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  return { context, page, requested, complaints, close: () => context.close() }
}

/** Expects that the page sent requests to its own origin only, and had no errors. */
export function expectQuiet(visit: Visit, origin: string): void {
  const elsewhere = visit.requested.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith('data:'))
  expect(elsewhere).toEqual([])
  expect(visit.complaints).toEqual([])
}
