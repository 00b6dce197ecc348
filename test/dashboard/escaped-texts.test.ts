import { beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { type EndpointId, endpoints } from '../../registry/index.ts'
import { crawl } from '../../scripts/dashboard/crawl.ts'
import { inviteMember } from '../../src/access/members/invite-member.ts'
import { newId } from '../../src/base/ids.ts'
import { fixtures } from '../contract/fixtures.ts'
import { type ReplyBody, type TestApi, useApi } from '../support/api.ts'
import { writes } from '../support/contract/operation.ts'
import { filledWith, hasText, type Selection } from '../support/contract/text-fields.ts'
import { type Fields, formOf, openBrowser } from '../support/dashboard.ts'
import { select } from '../support/database-contents.ts'
import { operator } from '../support/shop.ts'
import { type FullShop, logRequests, openFullShop } from './full-shop.ts'
import { type Stop, type Walk, walk } from './walk.ts'

/**
 * Writes markup into every text field of operations and of dashboard forms that accepts markup, then opens every page.
 * The test finds the fields in the registry and in the forms, so it covers a new field as soon as the field is
 * declared.
 */

const started = useApi()
let full: FullShop
let walked: Walk

/** The text field into which each marker, such as `Zq100`, was written. */
const fieldOf = new Map<string, string>()

/**
 * Markup that the test writes into fields: a tag, both kinds of quotes and an entity. Fields with a low maximum length
 * get only a tag.
 */
const markup = [`<zq a="b" c='d'>&lt;`, '<zq>'] as const

/** Matches any part of the test's markup that a page does not escape. In JSON text, a backslash precedes the quote. */
const leak = /<zq|zq a=\\?"|c='d'|&gt;&lt;/

/** Returns markup that begins with a marker, by which the test recognises the field. */
function markupOf(field: string, accepts: (text: string) => boolean = () => true): string {
  const marker = `Zq${fieldOf.size + 100}`
  const text = markup.map((each) => marker + each).find(accepts)
  if (text === undefined) throw new Error(`No markup fits ${field}.`)
  fieldOf.set(marker, field)
  return text
}

/** Reports whether a schema accepts a text. The registry declares only the base type of its schemas. */
const accepts = (schema: z.core.$ZodType, text: string) => (schema as z.ZodType).safeParse(text).success

const acceptsMarkup: Selection = ({ schema }) => markup.some((each) => accepts(schema, `Zq100${each}`))

function leaksIn(place: string, html: string): string[] {
  const around = new RegExp(`.{0,60}(?:${leak.source}).{0,60}`, 'g')
  return [...html.matchAll(around)].map(([found]) => `${place}: ${found}`)
}

const location = { lat: 6.4474, lng: 3.4723 }

/** For some operations, returns the fields that must match stored records or other fields of the same request. */
const corrections: Partial<Readonly<Record<EndpointId, (filled: ReplyBody, given: ReplyBody) => object>>> = {
  createOrder: () => ({ discountCodes: undefined }),
  updateOrder: () => ({ discountCodes: undefined }),
  createProduct: ({ options, variants }) => {
    const [{ name, values }] = options
    return { options: [{ name, values }], variants: [{ ...variants[0], optionValues: { [name]: values[0] } }] }
  },
  updateProduct: () => ({ options: undefined }),
  createVariant: (_, { optionValues }) => ({ optionValues }),
  updateVariant: () => ({ optionValues: undefined }),
  updatePrices: (_, { prices }) => ({ prices }),
  adjustInventories: ({ adjustments: [filled] }, { adjustments: [{ sku }] }) => ({ adjustments: [{ ...filled, sku }] }),
  createDiscount: () => ({ appliesTo: undefined }),
  updateDiscount: () => ({ appliesTo: undefined }),
  recordRemittance: (_, { carrier }) => ({ carrier }),
  createPredictiveSchedule: ({ pickup, dropoff }) => ({
    pickup: { ...pickup, location },
    dropoff: { ...dropoff, location },
  }),
}

async function sendWrite(api: TestApi, id: EndpointId): Promise<void> {
  const endpoint = endpoints[id]
  if (!('body' in endpoint) || !hasText(endpoint.body.schema, acceptsMarkup)) return
  const { method, path, body = {} } = await fixtures[id].arrange(api, full.shop)
  const marker = (schema: z.core.$ZodType, name: string) => markupOf(id + name, (text) => accepts(schema, text))
  const filled: ReplyBody = filledWith({ marker, isSelected: acceptsMarkup }, endpoint.body.schema, body)
  const sent = { ...filled, ...corrections[id]?.(filled, body) }
  const reply = await api.send(method, path, { token: full.shop.token, body: sent })
  expect(reply.status, `${id} ${reply.text}`).toBeLessThan(300)
  // Ids of records from the same millisecond have a random order. Without this advance, the forms would overwrite the
  // texts of a random record.
  api.clock.advance(1)
}

/** Writes markup into the texts that the owner can set neither with an operation nor with a form. */
async function writeNames(api: TestApi): Promise<void> {
  const { liveId, shop, owner } = full
  await select(api, 'update merchants set name = $1 where id = any($2)', [
    markupOf('merchant name'),
    [liveId, shop.merchantId],
  ])
  await select(api, 'update passkeys set name = $1', [markupOf('passkey name')])
  const browser = openBrowser(api)
  const signIn = '/dashboard/sign-in'
  const { email, password } = owner
  const form = { ...formOf((await browser.get(signIn)).text, signIn), email, password }
  await browser.post(signIn, form, { 'user-agent': markupOf('user agent') })
}

/**
 * Submits a form with markup in its text fields. Leaves out the fields that the service rejects, and repeats until the
 * form is accepted or no field is rejected. Returns the responses.
 */
async function submit(stop: Stop, api: TestApi, csrf: string): Promise<string[]> {
  const answers: string[] = []
  let texts = stop.texts
  for (;;) {
    const typed = Object.fromEntries(texts.map((name) => [name, markupOf(`${stop.name} ${name}`)]))
    const fields: Fields = { ...stop.fields, ...typed, csrf, form: newId('frm', api.clock.nowMs()) }
    const { status, text } = await full.owner.post(stop.address, fields)
    expect(answeredStatuses, `${stop.name}: ${status}`).toContain(status)
    answers.push(text)
    const left = texts.filter((name) => !text.includes(`id="p-${name}"`))
    if (status !== 422 || left.length === texts.length) return answers
    texts = left
  }
}

/** Statuses of a response to a submitted form: redirected after success, shown with a result, and rejected. */
const answeredStatuses = [303, 200, 422]

const answered = new Map<string, readonly string[]>()

beforeAll(async () => {
  const api = started()
  full = await openFullShop(api)
  for (const id of writes) await sendWrite(api, id)
  await writeNames(api)
  await logRequests(api, full.shop)
  walked = await walk(full.owner)
  const { csrf = '' } = formOf((await full.owner.get('/dashboard')).text, '/dashboard/sign-out')
  // The actions run in reverse order, because the first actions of a record may end the record's lifecycle.
  for (const stop of walked.stops.toReversed()) {
    if (stop.route.kind === 'action' && stop.texts.length > 0) answered.set(stop.name, await submit(stop, api, csrf))
  }
})

test('every dashboard form with text fields shows submitted markup as text', () => {
  expect([...answered].flatMap(([name, pages]) => pages.flatMap((page) => leaksIn(name, page)))).toEqual([])
  expect(answered.size).toBeGreaterThan(10)
})

test('every dashboard form of an expired session shows submitted markup as text', async () => {
  const leaks: string[] = []
  for (const { name, address, texts } of walked.stops.filter(({ name }) => answered.has(name))) {
    const typed = Object.fromEntries(texts.map((text) => [text, `Zq1${markup[0]}`]))
    const { status, text } = await openBrowser(started()).post(address, typed)
    expect([name, status]).toEqual([name, 401])
    leaks.push(...leaksIn(name, text))
  }
  expect(leaks).toEqual([])
})

test('every dashboard list shows markup in its filter values as text', async () => {
  const leaks: string[] = []
  let shown = 0
  const lists = [...walked.opened].filter(([, html]) => html.includes('class="filters"'))
  for (const [address, html] of lists) {
    const [, form = ''] = html.split('class="filters"')
    for (const [, name = ''] of form.split('</form>', 1)[0]?.matchAll(/ name="([^"]+)"/g) ?? []) {
      const { status, text } = await full.owner.get(`${address}?${name}=${encodeURIComponent(`Zq1${markup[0]}`)}`)
      // With status 400, the list rejects the filter value, and the page shows the filter form with this value.
      expect([200, 400], `${address} ${name}`).toContain(status)
      if (text.includes('Zq1&lt;zq')) shown += 1
      leaks.push(...leaksIn(`${address} ${name}`, text))
    }
  }
  expect(leaks).toEqual([])
  expect(lists.length).toBeGreaterThan(8)
  // More than ten filters must show the value again. These filters are text fields: a list of choices ignores a value
  // that is not one of its choices, so it does not show the value.
  expect(shown).toBeGreaterThan(10)
})

test('an invitation shows markup in the names of the merchant and the person as text', async () => {
  const api = started()
  const person = { email: 'zq@example.com', name: `Zq1${markup[0]}`, role: 'viewer' } as const
  const invited = await inviteMember(api.context, operator, { ...person, merchantId: full.liveId })
  if (invited.is !== 'invited') throw new Error(invited.is)
  const { text } = await openBrowser(api).get(`/dashboard/invitations/${invited.token}`)
  expect(text.match(/Zq\d+&lt;zq/g)?.length).toBeGreaterThan(1)
  expect(leaksIn('invitation', text)).toEqual([])
})

/** Maximum number of records to read: more than this merchant has. */
const recordsMax = 1000

/**
 * Fields whose markup must appear on some page. Otherwise, the test could not detect that a page does not escape the
 * markup.
 */
const shownAtLeast = [
  ...['createOrder.customer.name', 'createOrder.shippingAddress.line1', 'createOrder.note', 'createOrder.customerNote'],
  'createOrderComment.text',
  ...['createOrder.externalReference', 'cancelOrder.note', 'recordPayment.reference', 'createRefund.note'],
  ...['createRefund.destination.accountName', 'createProduct.title', 'createVariant.sku', 'adjustInventory.note'],
  ...['createDiscount.title', 'dispatchShipment.pickup.name', 'dispatchShipment.dropoff.line1', 'cancelShipment.note'],
  ...['action /shipments/{id}/close reason', 'action /shipments/{id}/resolve reason', 'action /settings/pickup line1'],
  ...['action /tokens/new name', 'action /webhooks/new description', 'merchant name', 'passkey name', 'user agent'],
]

test('every dashboard page shows markup in stored texts as text', async () => {
  const leaks: string[] = []
  const shown = new Set<string | undefined>()
  await logRequests(started(), full.shop)
  await crawl(async (address) => {
    const { status, text } = await full.owner.get(address)
    expect([address, status]).toEqual([address, 200])
    leaks.push(...leaksIn(address, text))
    for (const [marker] of text.matchAll(/Zq\d+/g)) shown.add(fieldOf.get(marker))
    return text
  }, recordsMax)
  expect(leaks).toEqual([])
  expect(shownAtLeast.filter((field) => !shown.has(field))).toEqual([])
})
