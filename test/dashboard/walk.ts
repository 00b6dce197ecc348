import { crawl, type Site } from '../../scripts/dashboard/crawl.ts'
import type { Route } from '../../src/dashboard/kit/route.ts'
import { allRoutes } from '../../src/dashboard/routes.ts'
import type { Browser, Fields } from '../support/dashboard.ts'

/** A route of the dashboard, with the URL of a record that the test has found by following links. */
export interface Stop {
  readonly route: Route
  /** Name of the route, such as `action /orders/{id}/cancel`. */
  readonly name: string
  readonly address: string
  /** The fields of an action's form, with valid values for them. */
  readonly fields: Fields
  /** Whether the form has a field that members can see. */
  readonly isFilledIn: boolean
  /** The names of the form fields that accept any text. */
  readonly texts: readonly string[]
}

export interface Walk extends Site {
  readonly stops: readonly Stop[]
  /** The HTML of each page that the test has opened. */
  readonly opened: ReadonlyMap<string, string>
}

/** Follows the links of the dashboard as a member. Returns all routes with their URLs. */
export async function walk(browser: Browser): Promise<Walk> {
  const opened = new Map<string, string>()
  const site = await crawl(async (address) => {
    const { status, text } = await browser.get(address)
    if (status !== 200) throw new Error(`${address} answered ${status}.`)
    opened.set(address, text)
    return text
  })
  const pages = new Map(site.pages.map(({ path, address }) => [path, address]))
  const actions = new Map(site.actions.map(({ path, address }) => [path, address]))
  const stops = allRoutes.map((route): Stop => {
    const found = route.kind === 'action' ? actions.get(route.path) : pages.get(route.path)
    const address = found ?? `/dashboard${route.path}`
    const form = [...opened.values()].find((html) => html.includes(`method="post" action="${address}"`))
    const isAction = route.kind === 'action' && form !== undefined
    const filled = isAction ? filledForm(form, address) : { fields: {}, isFilledIn: false, texts: [] }
    return { route, name: `${route.kind} ${route.path}`, address, ...filled }
  })
  return { ...site, stops, opened }
}

/** Valid values for those fields that a form leaves empty, by the name of the field. */
const samples: Readonly<Record<string, string>> = {
  amount: '100',
  title: 'Sample',
  price: '5000',
  reason: 'damaged',
  reference: 'ref-1',
  provider: 'paystack',
  quantity: '1',
  name: 'Sample',
  email: 'sample@example.com',
  url: 'https://shop.example.com/hook',
  since: '2026-11-20T08:00',
  accountNumber: '0123456789',
  bankCode: '058',
  accountName: 'Ada Obi',
  currentPassword: 'a sentence of words',
  newPassword: 'another sentence of words',
  code: '123456',
  value: '10',
  text: 'Sample',
  signature: `t=1795336200,v1=${'0'.repeat(64)}`,
  body: '{}',
}

/** The name of a quantity field contains the id of the order item. */
function sampleOf(name: string): string | undefined {
  if (name.startsWith('quantity-') || name.startsWith('restock-')) return samples.quantity
  return name.startsWith('write-off-') ? '0' : samples[name]
}

/** Form fields whose values depend on the browser and on the merchant selected in it. Each test adds them itself. */
const frameworkFields = new Set(['csrf', 'form', 'tenant'])

/**
 * Returns the fields of the form that submits to the given action, with valid values. Also returns the names of the
 * fields that accept any text.
 */
function filledForm(page: string, action: string): Pick<Stop, 'fields' | 'isFilledIn' | 'texts'> {
  const form = page.split('<form ').find((part) => part.startsWith(`method="post" action="${action}"`)) ?? ''
  const [content = ''] = form.split('</form>')
  const fields: Record<string, string> = {}
  const texts: string[] = []
  let isFilledIn = false
  for (const [, tag = '', attributes = '', inner = ''] of content.matchAll(
    /<(input|select|textarea)([^>]*)>(?:(?<=<select[^>]*>)([\s\S]*?)<\/select>)?/g,
  )) {
    const name = attributeOf(attributes, 'name')
    if (name === undefined || name in fields || frameworkFields.has(name)) continue
    const value = tag === 'select' ? choiceOf(inner) : attributeOf(attributes, 'value')
    const filled = value === undefined || value === '' ? sampleOf(name) : value
    if (filled !== undefined) fields[name] = filled
    const type = attributeOf(attributes, 'type')
    isFilledIn ||= type !== 'hidden'
    const isText = type === 'text' && attributeOf(attributes, 'inputmode') === undefined
    if (tag === 'textarea' || isText) texts.push(name)
  }
  return { fields, isFilledIn, texts }
}

function choiceOf(options: string): string | undefined {
  return /<option value="([^"]+)" selected>/.exec(options)?.[1] ?? /<option value="([^"]+)"/.exec(options)?.[1]
}

function attributeOf(attributes: string, name: string): string | undefined {
  return new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1]
}
