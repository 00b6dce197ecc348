import createClient from 'openapi-fetch'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import type { paths } from '../../generated/api.d.ts'
import { sampleIds } from '../../registry/kit/sample-ids.ts'
import { parcelInputExample } from '../../registry/logistics/parcel.ts'
import { dropoffInputExample, pickupInputExample } from '../../registry/logistics/quote-example.ts'
import type { RunningDemo } from './start-demo.ts'

/** Adds the records that the demo data lacks, so that a link leads to every page of the dashboard. */

export function press(page: Page, name: string): Promise<void> {
  return page.getByRole('main').getByRole('button', { name, exact: true }).click()
}

/** Returns the secret that the currently open page of the dashboard shows only once. */
async function revealedOn(page: Page): Promise<string> {
  return (await page.locator('[data-copy]').first().innerText()).trim()
}

/**
 * Adds an authenticator app and a passkey to the member's account. The browser simulates a device that stores passkeys.
 * `onSecret` runs while the page shows the secret of the app, and `onCodes` while it shows the backup codes.
 */
export async function addSignIns(
  page: Page,
  { onSecret, onCodes }: { readonly onSecret: () => Promise<void>; readonly onCodes: () => Promise<void> },
): Promise<void> {
  await press(page, 'Set up an authenticator app')
  await onSecret()
  const secret = Secret.fromBase32(await revealedOn(page))
  await page.getByLabel('Code', { exact: true }).fill(new TOTP({ secret }).generate())
  await press(page, 'Confirm the code')
  await page.getByText('The authenticator app is set up.').waitFor()
  await onCodes()
  await page.getByRole('link', { name: 'I have stored the backup codes' }).click()
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
  await press(page, 'Add a passkey')
  await page.getByLabel('Name').fill('Phone')
  await press(page, 'Create a passkey')
  await page.getByText('The passkey is registered.').waitFor()
}

/** Returns the link of the invitation. */
export async function invite(page: Page, origin: string, email: string): Promise<string> {
  await page.goto(`${origin}/dashboard/members`)
  await page.getByLabel('E-mail').fill(email)
  await press(page, 'Create an invitation link')
  return revealedOn(page)
}

/**
 * Adds records to test mode: logged requests of a token, and a shipment with an open exception, because its order was
 * cancelled. A webhook endpoint whose port refuses connections gets a delivery, which fails. Bodies of rejected requests
 * are recorded from then on.
 */
export async function addTestRecords(page: Page, { url, testToken }: RunningDemo, origin: string): Promise<void> {
  const api = createClient<paths>({ baseUrl: `${url}/api/v1`, headers: { Authorization: `Bearer ${testToken}` } })
  const dispatched = await api.POST('/logistics/dispatch', {
    body: {
      reference: 'cancelled-order',
      orderId: sampleIds.orderToShip,
      pickup: pickupInputExample,
      dropoff: dropoffInputExample,
      parcels: [parcelInputExample],
    },
  })
  if (dispatched.response.status !== 201) throw new Error(`The shipment got ${dispatched.response.status}.`)
  const path = { id: sampleIds.orderToShip }
  const cancelled = await api.POST('/orders/{id}/cancel', { params: { path }, body: { reason: 'customer' } })
  if (cancelled.response.status !== 200) throw new Error(`The cancellation got ${cancelled.response.status}.`)
  await page.goto(`${origin}/dashboard/webhooks/new`)
  await page.getByLabel('URL').fill('http://127.0.0.1:9/hooks')
  await page.locator('input[value="order.created"]').check()
  await press(page, 'Create endpoint')
  await page.getByRole('link', { name: 'Open the endpoint' }).click()
  await press(page, 'Send a test event')
  await page.goto(`${origin}/dashboard/imports`)
  const buffer = Buffer.from('title,variants\nFila,"[{""sku"":""FILA-1"",""priceKobo"":500000}]"\n')
  await page.getByLabel('CSV file').setInputFiles({ name: 'products.csv', mimeType: 'text/csv', buffer })
  await press(page, 'Upload and check')
  await page.waitForURL(/\/imports\/imp_/)
  await page.goto(`${origin}/dashboard/requests`)
  await press(page, 'Record bodies for one day')
}

/**
 * Sends requests that the API rejects, until the page of such a request shows the request body. The API logs a request
 * after its response, and a process may notice only seconds later that it must record bodies.
 */
export async function openRejectedRequest(page: Page, { url, testToken }: RunningDemo, origin: string): Promise<void> {
  const send = () =>
    fetch(`${url}/api/v1/customers`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${testToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Adaeze Okafor', email: 'adaeze', phone: '0803' }),
    })
  const body = page.getByRole('heading', { name: 'Body', exact: true })
  for (const deadline = Date.now() + recordedWithinMs; Date.now() < deadline; ) {
    const id = (await send()).headers.get('Request-Id') ?? ''
    await page.waitForTimeout(1000)
    await page.goto(`${origin}/dashboard/requests/${id}`)
    if (await body.isVisible()) return
  }
  throw new Error('The body of a rejected request was not recorded.')
}

/** Maximum time until all processes record bodies and the request log contains the rejected request. */
const recordedWithinMs = 30_000
