import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
  type Page,
} from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject } from 'vitest'

const executablePath = inject('browserPath')

/** Skips the browser tests, with a message, when no browser is installed. */
export function describeInBrowser(name: string, tests: () => void): void {
  const isMissing = executablePath === ''
  describe.skipIf(isMissing)(isMissing ? `${name} (set CHROME_PATH to a Chromium)` : name, tests)
}

/**
 * Starts one Chromium for a test file. Each visit has a browser context of its own, so that visits share no cookies or
 * caches.
 */
export function useBrowser(launch: LaunchOptions = {}): (options?: BrowserContextOptions) => Promise<Visit> {
  let browser: Browser | undefined
  beforeAll(async () => {
    // Chromium's own sandbox does not work when root starts it.
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    browser = await chromium.launch({ executablePath, args, ...launch })
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
  /** Every URL that the opened page requested. */
  readonly requested: readonly string[]
  /** The errors of the page: requests that its content security policy blocked, failed requests and uncaught errors. */
  readonly complaints: readonly string[]
  close(): Promise<void>
}

async function openVisit(context: BrowserContext): Promise<Visit> {
  const page = await context.newPage()
  // Timeout of browser actions: Playwright's default of 30 s is too short on a machine with many busy processes.
  page.setDefaultTimeout(120_000)
  const requested: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText
    // When the browser navigates to another page, it cancels the loading and the live update of the current page. These
    // cancelled requests are not errors.
    const isLeft = reason === 'net::ERR_ABORTED' && ['document', 'fetch'].includes(request.resourceType())
    if (!isLeft) complaints.push(`${request.url()} failed: ${reason}`)
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  return { context, page, requested, complaints, close: () => context.close() }
}

/** Expects that the opened page sent requests to its own origin only, and had no errors. */
export function expectQuiet(visit: Visit, origin: string): void {
  const elsewhere = visit.requested.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith('data:'))
  expect(elsewhere).toEqual([])
  expect(visit.complaints).toEqual([])
}
