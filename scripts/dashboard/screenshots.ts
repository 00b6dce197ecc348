import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import bundledChromium from '@sparticuz/chromium'
import pg from 'pg'
import { type Browser, chromium, type Page } from 'playwright-core'
import { pickupInputExample } from '../../registry/logistics/quote-example.ts'
import { allRoutes } from '../../src/dashboard/routes.ts'
import { signInPages } from '../../src/dashboard/sign-in/mount.ts'
import { capture, emptyFolder, folder, nameOf } from './album.ts'
import { crawl } from './crawl.ts'
import { addSignIns, addTestRecords, invite, openRejectedRequest, press } from './demo-records.ts'
import { startDemo } from './start-demo.ts'

/**
 * `npm run screenshots`: starts the service with demo data and captures every page of the dashboard, in live and in
 * test mode, on a desktop and on a phone, light and dark, into a folder of images. The script also writes the
 * images of the dashboard in the README, and ends with exit code 1 if a page was not captured. CHROME_PATH selects a browser.
 */
const demo = await startDemo()
// Uses the host name localhost, because browsers create passkeys for localhost but not for an IP address.
const origin = demo.url.replace('127.0.0.1', 'localhost')
const password = 'three words and a comma'
/**
 * The routes of the dashboard that are pages. The other routes are actions, downloads, and requests by the script of a
 * page.
 */
const memberPages = allRoutes.filter(({ kind }) => kind === 'page').map(({ path }) => path)
/**
 * Maximum number of addresses to open for each path. The number is high, because in test mode only few orders have
 * units that can be returned.
 */
const addressesMax = 24
const captured = { 'signed-out': new Set<string>(), live: new Set<string>(), test: new Set<string>() } as const

const browser = await chromium.launch({
  executablePath: process.env.CHROME_PATH ?? (await bundledChromium.executablePath()),
  // Disables Chromium's sandbox when root starts it, because the sandbox does not work for root.
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
try {
  await emptyFolder()
  await inBrowser(browser, captureSignedOut)
  await inBrowser(browser, captureMember)
  reportMissing()
} finally {
  await browser.close()
  await demo.stop()
}

/** Runs a function with a page in a new browser session, which has no cookies. */
async function inBrowser<Result>(from: Browser, run: (page: Page) => Promise<Result>): Promise<Result> {
  const context = await from.newContext()
  try {
    return await run(await context.newPage())
  } finally {
    await context.close()
  }
}

/**
 * Opens the page of a declared path and captures it. A page that requires a sign-in may redirect. Throws for an error
 * page.
 */
async function captureRoute(page: Page, group: Group, { path, address }: Linked): Promise<void> {
  const response = await page.goto(origin + address)
  if (response?.status() !== 200) throw new Error(`${address} answered ${response?.status() ?? 'nothing'}.`)
  captured[group].add(path)
  await capture(page, nameOf(group, path))
}

type Group = 'signed-out' | 'live' | 'test'

interface Linked {
  /** The path as the dashboard declares it, such as `/orders/{id}`. */
  readonly path: string
  readonly address: string
}

async function captureSignedOut(page: Page): Promise<void> {
  const tokenless = signInPages.filter((path) => !path.includes(':'))
  for (const path of tokenless) await captureRoute(page, 'signed-out', { path, address: `/dashboard${path}` })
  await page.goto(`${origin}/dashboard/sign-in/link/unknown`)
  await capture(page, 'signed-out-link-unknown')
  await page.goto(`${origin}/dashboard/invitations/unknown`)
  await capture(page, 'signed-out-invitation-unknown')
}

async function captureMember(page: Page): Promise<void> {
  const address = new URL(demo.signInLink).pathname
  await captureRoute(page, 'signed-out', { path: '/sign-in/link/:token', address })
  await press(page, 'Sign in')
  await page.getByLabel('New password').fill(password)
  await press(page, 'Set password')
  await addSignIns(page, {
    onSecret: () => capture(page, 'answer-totp-setup'),
    onCodes: () => capture(page, 'answer-backup-codes'),
  })
  await captureInvitation(page)
  await captureMode(page, 'live')
  await page.getByRole('button', { name: 'Switch to test mode' }).click()
  await addTestRecords(page, demo, origin)
  await captureMode(page, 'test')
  await openRejectedRequest(page, demo, origin)
  await capture(page, 'answer-rejected-request')
  await captureDispatch(page)
  await captureErrors(page)
}

/**
 * Captures the page of an invitation as the invited person sees it. The invited person then accepts the invitation and
 * becomes a member. A second invitation, for another person, stays open.
 */
async function captureInvitation(page: Page): Promise<void> {
  const link = await invite(page, origin, 'tunde.bakare@example.com')
  await capture(page, 'answer-invitation')
  await inBrowser(browser, async (guest) => {
    await captureRoute(guest, 'signed-out', { path: '/invitations/:token', address: new URL(link).pathname })
    await guest.getByLabel('Your name').fill('Tunde Bakare')
    await guest.getByLabel('New password').fill(password)
    await press(guest, 'Create account and accept')
    await guest.waitForURL(/\/dashboard$/)
  })
  await invite(page, origin, 'ngozi.balogun@example.com')
}

/**
 * Captures all pages that links lead to, and all pages without an id in their path. Some pages without an id are linked
 * only in certain states, but can always be opened.
 */
async function captureMode(page: Page, mode: 'live' | 'test'): Promise<void> {
  const { pages } = await crawl(async (address) => (await page.request.get(origin + address)).text(), addressesMax)
  const fixed = memberPages.filter((path) => !path.includes('{'))
  const found = [
    ...fixed.map((path) => ({ path, address: `/dashboard${path}` })),
    ...pages.filter(({ path }) => path.includes('{')),
  ]
  for (const linked of found) await captureRoute(page, mode, linked)
}

/** Captures the offers for several orders, and the outcomes of their dispatch. */
async function captureDispatch(page: Page): Promise<void> {
  await page.goto(`${origin}/dashboard/settings`)
  const pickup = page.locator('form[action$="/settings/pickup"]')
  const { name, phone, line1, area } = pickupInputExample
  for (const [field, text] of Object.entries({ name, phone, line1, area }))
    await pickup.locator(`[name=${field}]`).fill(text)
  await pickup.getByRole('button').click()
  await page.goto(`${origin}/dashboard/orders?status=processing`)
  const boxes = await page.getByRole('checkbox', { name: /^Choose / }).all()
  for (const box of boxes.slice(0, 3)) await box.check()
  await page.getByRole('button', { name: /^Dispatch/ }).click()
  await page.waitForURL('**/orders/dispatch/offers?**')
  await capture(page, 'answer-dispatch-offers')
  await page.getByRole('button', { name: /^Dispatch/ }).click()
  await capture(page, 'answer-dispatch-outcomes')
}

/**
 * Captures the error pages: for an unknown address, for an action that needs a confirmation of identity, and for a
 * session that has ended.
 */
async function captureErrors(page: Page): Promise<void> {
  await page.goto(`${origin}/dashboard/nowhere`)
  await capture(page, 'answer-not-found')
  await fillInToken(page)
  await makeSessionsOld()
  await press(page, 'Create token')
  await capture(page, 'answer-confirm')
  await fillInToken(page)
  await page.context().clearCookies({ name: 'commerce-session' })
  await press(page, 'Create token')
  await capture(page, 'answer-expired')
}

async function fillInToken(page: Page): Promise<void> {
  await page.goto(`${origin}/dashboard/tokens/new`)
  await page.getByLabel('Name').fill('Till in Yaba')
  await page.locator('input[value="orders:read"]').check()
}

/** Changes the time of each member's last identity confirmation to an hour ago. */
async function makeSessionsOld(): Promise<void> {
  const { port, superuserPassword } = JSON.parse(await readFile(join(demo.dataDirectory, 'postgres.json'), 'utf8'))
  const client = new pg.Client(`postgresql://postgres:${superuserPassword}@127.0.0.1:${port}/commerce`)
  await client.connect()
  await client.query("update sessions set authenticated_at = authenticated_at - interval '1 hour'")
  await client.end()
}

function reportMissing(): void {
  // Only test mode has records of every kind. In live mode, only the pages without a record id in their path must be
  // captured.
  const pages = [
    ...signInPages.map((path) => ['signed-out', path] as const),
    ...memberPages.filter((path) => !path.includes('{')).map((path) => ['live', path] as const),
    ...memberPages.map((path) => ['test', path] as const),
  ]
  const missing = pages.filter(([group, path]) => !captured[group].has(path))
  console.log(`${pages.length - missing.length} of ${pages.length} required pages are in ${folder}`)
  if (missing.length === 0) return
  console.error(
    `These pages were not captured:\n${missing.map(([group, path]) => `  ${group}: /dashboard${path}`).join('\n')}`,
  )
  process.exitCode = 1
}
