import { beforeAll, describe, expect, test } from 'vitest'
import { rolePermissions } from '../../registry/values/roles.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { newId } from '../../src/base/ids.ts'
import { useApi } from '../support/api.ts'
import {
  type Browser,
  type Fields,
  formOf,
  openBrowser,
  type PageReply,
  type SignedInMember,
  signedIn,
} from '../support/dashboard.ts'
import { textOf } from '../support/page-text.ts'
import { operator } from '../support/shop.ts'
import { type FullShop, openFullShop, selectTestMode } from './full-shop.ts'
import { expectNoChangeOf } from './no-change.ts'
import { type Stop, type Walk, walk } from './walk.ts'

/**
 * Requests every route of the dashboard as members and strangers who must not use the route. The URLs contain the ids
 * of stored records. The test covers a new route as soon as a page links to it.
 */

const started = useApi()
let full: FullShop
let walked: Walk

beforeAll(async () => {
  full = await openFullShop(started())
  walked = await walk(full.owner)
})

/** Pages and actions to which no page of this owner links. The comments in the list state the reasons. */
const unlinked = new Set([
  // The test uses an IP address, for which browsers create no passkey.
  'page /settings/account/passkeys',
  'action /settings/account/passkeys',
  'action /settings/account/passkeys/start',
  // The form of the list of orders has buttons that dispatch and export several orders.
  'page /orders/dispatch',
  'action /orders/export',
  // Only a redirect of the dispatch form leads to these pages.
  'page /orders/dispatch/offers',
  'page /orders/dispatch/outcomes',
  // The owner has already set up an authenticator app, so no page links to its set-up.
  'action /settings/account/totp/start',
  'action /settings/account/totp/confirm',
])

describe('links from the start page', () => {
  test('every link of the dashboard’s start page leads to a page', async () => {
    const linked = new Set([...walked.opened.values()].flatMap((html) => html.match(/(?<= href=")\/dashboard[^"?#]*/g)))
    const missing: string[] = []
    for (const address of linked) {
      if (address === null || walked.opened.has(address)) continue
      const { status } = await full.owner.get(address)
      if (status !== 200) missing.push(`${address}: ${status}`)
    }
    expect(missing).toEqual([])
  })

  test('links from the start page lead to every dashboard page, and to a form for every dashboard action', () => {
    const found = new Set([
      ...walked.pages.map(({ path }) => `page ${path}`),
      ...walked.actions.map(({ path }) => `action ${path}`),
    ])
    const declared = walked.stops.filter(({ route }) => route.kind === 'page' || route.kind === 'action')
    expect(declared.map(({ name }) => name).filter((name) => !found.has(name) && !unlinked.has(name))).toEqual([])
  })
})

describe('the texts of the pages', () => {
  /** Returns the pages whose content matches a pattern, each with the first match. */
  const pagesWith = (pattern: RegExp, contentOf: (page: string) => string = (page) => page): string[] =>
    [...walked.opened].flatMap(([address, page]) => {
      const [, main = ''] = /<main[^>]*>([\s\S]*)<\/main>/.exec(page) ?? []
      const [match] = pattern.exec(contentOf(main)) ?? []
      return match === undefined ? [] : [`${address}: ${match}`]
    })

  test('no cell of a table and no field of a record is empty', () => {
    expect(pagesWith(/<td[^>]*>\s*<\/td>|<dt>[^<]*<\/dt><dd>\s*<\/dd>/)).toEqual([])
  })

  test('no page calls the shop a merchant, except in commands and in the texts of the API', () => {
    const withoutCode = (main: string) => textOf(main.replaceAll(/<(pre|code)[\s>][\s\S]*?<\/\1>/g, ''))
    expect(pagesWith(/.{0,30}\bmerchants?\b.{0,30}/i, withoutCode)).toEqual([])
  })
})

const isOpened = ({ route }: Stop) => route.kind === 'page' || route.kind === 'download'
const isOfRecord = ({ route }: Stop) => route.path.includes('{')

const expectNoChange = (run: () => Promise<void>) => expectNoChangeOf(started(), run)

/** Returns the hidden fields of a form that the browser has not submitted yet. */
async function newForm(browser: Browser): Promise<Record<string, string>> {
  const { csrf = '' } = formOf((await browser.get('/dashboard')).text, '/dashboard/sign-out')
  return { csrf, form: newId('frm', started().clock.nowMs()) }
}

/**
 * Requests all routes of the dashboard. Returns one text for each unexpected response, with the name of the route and
 * the status.
 */
async function unexpected(
  stops: readonly Stop[],
  ask: (stop: Stop) => Promise<PageReply>,
  isExpected: (reply: PageReply, stop: Stop) => boolean,
): Promise<string[]> {
  const wrong: string[] = []
  for (const stop of stops) {
    const reply = await ask(stop)
    if (!isExpected(reply, stop)) wrong.push(`${stop.name}: ${reply.status} ${reply.location ?? ''}`)
  }
  return wrong
}

describe('a visitor without a session', () => {
  test('every route redirects a visitor without a session to the sign-in page, and changes nothing', async () => {
    const stranger = openBrowser(started())
    await expectNoChange(async () => {
      const wrong = await unexpected(
        walked.stops,
        (stop) => (isOpened(stop) ? stranger.get(stop.address) : stranger.post(stop.address, stop.fields)),
        ({ status, location = '' }, stop) =>
          isOpened(stop) ? status === 303 && location.startsWith('/dashboard/sign-in') : status === 401,
      )
      expect(wrong).toEqual([])
    })
  })
})

describe('the owner of another merchant or mode', () => {
  let other: SignedInMember
  beforeAll(async () => {
    const { id } = await createMerchant(started().context, operator, 'Kente House')
    other = await signedIn(started(), id, 'owner', 'Kofi Mensah')
    await selectTestMode(other)
  })

  const filledIn: readonly (readonly [string, (fields: Fields) => Fields])[] = [
    ['filled in', (fields) => fields],
    ['empty', () => ({})],
    ['with an unknown field', (fields) => ({ ...fields, nonsense: '1' })],
  ]

  test.for(
    filledIn,
  )('a form submitted by the owner of another merchant or mode returns 404 and changes nothing: %s', async ([
    ,
    fill,
  ]) => {
    await expectNoChange(async () => {
      const { csrf = '' } = await newForm(other)
      const post = ({ address, fields }: Stop) =>
        other.post(address, { ...fill(fields), csrf, form: newId('frm', started().clock.nowMs()) })
      const wrong = await unexpected(
        walked.stops.filter(isOfRecord),
        (stop) => (isOpened(stop) ? other.get(stop.address) : post(stop)),
        ({ status }) => status === 404,
      )
      expect(wrong).toEqual([])
    })
  })

  test('the merchant’s owner in live mode gets 404 for every URL of a test-mode record, and changes nothing', async () => {
    const live = await signedIn(started(), full.liveId, 'owner')
    const isOfTeam = ({ route }: Stop) => /^\/(members|settings)/.test(route.path)
    await expectNoChange(async () => {
      const form = await newForm(live)
      const wrong = await unexpected(
        walked.stops.filter((stop) => isOfRecord(stop) && !isOfTeam(stop)),
        (stop) => (isOpened(stop) ? live.get(stop.address) : live.post(stop.address, { ...stop.fields, ...form })),
        ({ status }) => status === 404,
      )
      expect(wrong).toEqual([])
    })
  })

  test('no list of the dashboard shows a merchant’s ids, names or e-mail addresses to the owner of another merchant or mode', async () => {
    const texts = [...walked.opened.values()].join('\n')
    const ids = new Set([full.liveId, full.shop.merchantId, ...(texts.match(/\b[a-z]{3}_[0-9a-z]{26}\b/g) ?? [])])
    // The page of an empty order list shows an example order, which contains the same customer name as this test's
    // records. The name is therefore excluded from the check.
    const people = new Set(texts.match(/(?<![\w.])(?!adaeze)[\w-]+(?:\.\w+)?@example\.com/g))
    const known = [...ids, ...people, 'Adire &amp; Sons', 'Ngozi Balogun', 'Tobi Ade', 'Funmi Bello']
    expect(known.length).toBeGreaterThan(60)
    const linked = [...texts.matchAll(/href="(\/dashboard[^"#]*\?[^"#]*)"/g)].map(([, address = '']) => address)
    const lists = walked.stops.filter((stop) => isOpened(stop) && !isOfRecord(stop)).map(({ address }) => address)
    const shown: string[] = []
    for (const address of new Set([...lists, ...linked.map((text) => text.replaceAll('&amp;', '&'))])) {
      const { text } = await other.get(address)
      // A filter form shows the value that the URL contains, so values in the URL are excluded from the check.
      shown.push(
        ...known.filter((word) => text.includes(word) && !address.includes(word)).map((word) => `${address}: ${word}`),
      )
    }
    expect(shown).toEqual([])
  })
})

describe('the address of a record with an invalid id', () => {
  test.for([
    ['an id of another form', 'nonsense'],
    ['a null byte', '%00'],
    ['a byte that is no text', '%ff'],
    ['an id of 3,000 characters', 'x'.repeat(3000)],
  ] as const)('a dashboard URL whose record id is invalid (%s) returns the page for a missing record, and nothing changes', async ([
    ,
    id,
  ]) => {
    const { owner } = full
    const addressOf = ({ route }: Stop) => `/dashboard${route.path.replace(/\{\w+\}/, id)}`
    await expectNoChange(async () => {
      const form = await newForm(owner)
      const wrong = await unexpected(
        walked.stops.filter(isOfRecord),
        (stop) =>
          isOpened(stop) ? owner.get(addressOf(stop)) : owner.post(addressOf(stop), { ...stop.fields, ...form }),
        ({ status }) => status === 404,
      )
      expect(wrong).toEqual([])
    })
  })
})

describe('a member without the permission of a route', () => {
  test.for([
    'viewer',
    'operations',
    'developer',
  ] as const)('a member with the role %s is refused on every route that the role does not permit, and changes nothing', async (role) => {
    const member = await signedIn(started(), full.liveId, role)
    await selectTestMode(member)
    const forbidden = walked.stops.filter(({ route }) => !rolePermissions[role].has(route.permission))
    expect(forbidden.length).toBeGreaterThan(5)
    await expectNoChange(async () => {
      const form = await newForm(member)
      const wrong = await unexpected(
        forbidden,
        (stop) => (isOpened(stop) ? member.get(stop.address) : member.post(stop.address, { ...stop.fields, ...form })),
        ({ status, text }, { route }) => status === 403 && text.includes(`lacks the permission ${route.permission}`),
      )
      expect(wrong).toEqual([])
    })
  })
})

describe('a form of the dashboard', () => {
  const sent = () => walked.stops.filter((stop) => !isOpened(stop))

  /** Whether the dashboard has a page on which the owner of this test can open the form of the action. */
  const hasForm = ({ name }: Stop) => !unlinked.has(name)

  test('a form opened in one mode (live or test) and submitted in the other is shown again with a message, and changes nothing', async () => {
    await expectNoChange(async () => {
      const form = { ...(await newForm(full.owner)), tenant: full.liveId }
      const wrong = await unexpected(
        sent().filter(({ route }) => route.kind === 'action' && !route.isOfUser),
        ({ address, fields }) => full.owner.post(address, { ...fields, ...form }),
        ({ status, text }) => status === 422 && text.includes('opened for another shop or mode'),
      )
      expect(wrong).toEqual([])
    })
  })

  test('after a confirmation of identity, every dashboard action shows its form again, with a message to submit the form', async () => {
    const { owner } = full
    const form = await newForm(owner)
    const confirm = '/dashboard/sign-in/confirm'
    const wrong = await unexpected(
      sent().filter((stop) => stop.route.kind === 'action' && stop.route.needsRecentSignIn && hasForm(stop)),
      ({ address }) => {
        const carried = JSON.stringify({ path: address, tenant: null, values: {} })
        return owner.post(confirm, { csrf: form.csrf ?? '', carried, password: owner.password })
      },
      ({ status, text }) => status === 422 && text.includes('Your identity is confirmed. Submit the form again.'),
    )
    expect(wrong).toEqual([])
  })

  test('every dashboard action refuses a form with the CSRF token of another session', async () => {
    const member = await signedIn(started(), full.liveId, 'owner')
    await expectNoChange(async () => {
      const form = await newForm(member)
      const wrong = await unexpected(
        sent(),
        ({ address, fields }) => full.owner.post(address, { ...fields, ...form }),
        ({ status, text }) => status === 403 && text.includes('belongs to another session'),
      )
      expect(wrong).toEqual([])
    })
  })

  test.for([
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['another subdomain', { 'sec-fetch-site': 'same-site' }],
    ['another site by an old browser', { origin: 'https://evil.example', 'sec-fetch-site': undefined }],
    ['an unknown site', { origin: undefined, 'sec-fetch-site': undefined }],
  ] as const)('every dashboard action refuses a form from %s', async ([, headers]) => {
    await expectNoChange(async () => {
      const form = await newForm(full.owner)
      const wrong = await unexpected(
        sent(),
        ({ address, fields }) => full.owner.post(address, { ...fields, ...form }, headers),
        ({ status, text }) => status === 403 && text.includes('sent from another site'),
      )
      expect(wrong).toEqual([])
    })
  })
})
