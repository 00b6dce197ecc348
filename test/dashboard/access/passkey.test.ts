import { expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { signedIn } from '../../support/dashboard.ts'
import { describeInBrowser, expectQuiet, useBrowser } from '../../support/reference/browser.ts'
import { openShop } from '../../support/shop.ts'

const api = useApi()

/** Simulates a device, such as a phone, that stores passkeys. Its user confirms every use of a passkey. */
const platformAuthenticator = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const

describeInBrowser('a passkey in Chromium', () => {
  const openVisit = useBrowser()

  test('a user registers a passkey on the account page and signs in with it, without a password', async () => {
    const shop = await openShop(api().context)
    const member = await signedIn(api(), shop.merchantId, 'viewer')
    // Uses the host name localhost, because browsers create passkeys for localhost but not for an IP address.
    const origin = api().url.replace('127.0.0.1', 'localhost')
    const visit = await openVisit()
    const { context, page } = visit
    const devtools = await context.newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: platformAuthenticator,
    })
    const credentials = async () =>
      (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials.map(
        ({ signCount, ...key }) => ({
          ...{ rpId: key.rpId, isResident: key.isResidentCredential, signCount },
        }),
      )

    await page.goto(`${origin}/dashboard/sign-in?next=/dashboard/settings/account`)
    await page.getByLabel('E-mail').fill(member.email)
    await page.getByLabel('Password').fill(member.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByLabel('Name').fill('Ada’s <b>phone</b>')
    await page.getByRole('button', { name: 'Create a passkey' }).click()
    await page.getByText('The passkey is registered.').waitFor()
    expect(await page.getByRole('cell', { name: 'Ada’s <b>phone</b>' }).count()).toBe(1)
    const [created] = await credentials()
    expect(created).toMatchObject({ rpId: 'localhost', isResident: true })

    await page.getByRole('navigation').getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(`${origin}/dashboard/sign-in`)
    await page.goto(`${origin}/dashboard/settings/account`)
    expect(new URL(page.url()).pathname).toBe('/dashboard/sign-in')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL(`${origin}/dashboard/settings/account`)
    expect(await page.getByText(member.email).count()).toBe(1)
    const [used] = await credentials()
    expect(used?.signCount).toBeGreaterThan(created?.signCount ?? 0)
    expectQuiet(visit, origin)

    // Eleven minutes later, the sign-in is no longer recent, so the dashboard responds with 403 and a page that asks
    // for confirmation. The browser logs the status, so the log is not checked again.
    api().clock.advance(11 * 60_000)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
    await page.getByRole('button', { name: 'Use a passkey instead' }).click()
    await page.getByRole('button', { name: 'Create a passkey' }).waitFor()
    const [confirmed] = await credentials()
    expect(confirmed?.signCount).toBeGreaterThan(used?.signCount ?? 0)
    await visit.close()
  }, 240_000)

  test('a passkey cannot be used to sign in after it was removed from the account', async () => {
    const shop = await openShop(api().context)
    const member = await signedIn(api(), shop.merchantId, 'viewer')
    const origin = api().url.replace('127.0.0.1', 'localhost')
    const { context, page, close } = await openVisit()
    const devtools = await context.newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', { options: platformAuthenticator })
    await context.addCookies([
      { name: 'commerce-session', value: member.cookies.get('commerce-session') ?? '', url: origin },
    ])
    await page.goto(`${origin}/dashboard/settings/account/passkeys`)
    await page.getByLabel('Name').fill('Phone')
    await page.getByRole('button', { name: 'Create a passkey' }).click()
    await page.getByRole('link', { name: 'Remove', exact: true }).click()
    await page.getByRole('button', { name: 'Remove it' }).click()
    await page.getByText('The passkey is removed.').waitFor()
    await page.getByRole('navigation').getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('The passkey is not registered with this service. Sign in with your password.').waitFor()
    await close()
  }, 240_000)
})
