import { endpoints } from '../../registry/index.ts'
import type { Endpoint } from '../../registry/kit/endpoint.ts'

/**
 * Nouns of operation ids that stay singular in the names of the client's resources, because a merchant has only one
 * such record or the noun is a quantity.
 */
const uncountable = ['Changelog', 'Inventory', 'OpenApiDocument', 'Surge']

export interface ClientMethod {
  readonly resource: string
  readonly name: string
  readonly endpoint: Endpoint
}

/**
 * The methods of the client: the operation `createOrder` is the method `orders.create`. `listDiscountRedemptions` is
 * `discounts.listRedemptions`, because its noun starts with `Discount`, the noun of other operations. A method returns
 * a parsed response. An export has no method: its response may be larger than the memory, so programs read it as a
 * stream.
 */
export const clientMethods = methodsOf(Object.values<Endpoint>(endpoints).filter(({ kind }) => kind !== 'export'))

export function clientMethodsModule(): string {
  const names = clientMethods.map(({ resource, name }) => `${resource}.${name}`)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined)
    throw new Error(`Two operations have the client method ${twice}. Rename one of the operations.`)
  const byResource = Object.groupBy(clientMethods, ({ resource }) => resource)
  const resources = Object.entries(byResource).sort(([a], [b]) => (a < b ? -1 : 1))
  return [
    '// DO NOT EDIT. Written by `npm run generate` from the registry.',
    '',
    'export const clientMethods = {',
    ...resources.flatMap(([resource, all = []]) => [`  ${resource}: {`, ...all.map(entryOf), '  },']),
    '} as const',
    '',
  ].join('\n')
}

function methodsOf(all: readonly Endpoint[]): ClientMethod[] {
  const nouns = [...new Set(all.map(({ id }) => nounOf(id)))]
  return all.map((endpoint) => {
    const noun = nounOf(endpoint.id)
    const resource = nouns.find((other) => other !== noun && noun.startsWith(other)) ?? noun
    const rest = endpoint.id.slice(verbOf(endpoint.id).length + resource.length)
    return {
      resource: lowerFirst(uncountable.includes(resource) ? resource : plural(resource)),
      // The plural `s` of an id is not part of the method name: `getRemittances` becomes `remittances.get`, and
      // `listOrders` becomes `orders.list`.
      name: verbOf(endpoint.id) + (resource === noun || rest === 's' ? '' : rest),
      endpoint,
    }
  })
}

function entryOf({ name, endpoint }: ClientMethod): string {
  const { method, path, summary } = endpoint
  return `    /** ${summary}. */\n    ${name}: { method: '${method}', path: '${path}', input: '${inputOf(endpoint)}' },`
}

/** Returns the kind of input that a method has in addition to the ids in its path. */
function inputOf({ kind, body, query }: Endpoint): 'body' | 'list' | 'none' | 'query' {
  if (kind === 'list') return 'list'
  if (body !== undefined) return 'body'
  return query === undefined ? 'none' : 'query'
}

function verbOf(id: string): string {
  return /^[a-z]+/.exec(id)?.[0] ?? id
}

/** Returns the noun of an operation id in the singular, such as `Order` for `listOrders` and for `getOrder`. */
function nounOf(id: string): string {
  const noun = id.slice(verbOf(id).length)
  return verbOf(id) === 'list' ? noun.replace(/s$/, '') : noun
}

/** Returns the plural of a noun of an operation id. A noun such as `BuyerLinks` is a plural already. */
function plural(noun: string): string {
  if (noun.endsWith('ss')) return `${noun}es`
  return noun.endsWith('s') ? noun : `${noun}s`
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
