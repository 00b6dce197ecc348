import type { DetailsOf, ErrorCode } from '../../registry/errors/index.ts'
import { errors } from '../../registry/errors/index.ts'
import { at } from '../../registry/openapi/guard-parts.ts'
import { Refusal, refusalBody } from '../../src/operations/execute/refusal.ts'
import { detailsSchema, resolved } from './contract.ts'
import { demoUrl } from './samples/request.ts'

/** Returns an example of an error body, created by the same code as the service's errors. */
export function errorExample(code: ErrorCode): unknown {
  const details: unknown = exampleFor(detailsSchema(code) ?? { properties: {} }, [code])
  const refusal = new Refusal(code, errors[code].meaning, {
    details: Object(details),
    ...(errors[code].type === 'validation_error' ? { problems: [problem(code)] } : {}),
  })
  return JSON.parse(refusalBody(refusal, requestId, demoUrl))
}

const requestId = 'req_01jd3f8q6hf5n8v1zr4c7e2m9k'

function problem(code: ErrorCode) {
  if (code !== 'unknown_parameter') {
    return {
      path: 'body.items[0].quantity',
      code: 'too_small',
      message: 'Must be at least 1.',
      fix: 'Send a whole number from 1 to 1000.',
    } as const
  }
  return {
    path: 'query.colour',
    code: 'unknown_parameter',
    message: 'There is no such parameter.',
    fix: 'Use one of: limit, cursor.',
  } as const
}

/** The error codes whose `details` contain the id of an existing record. */
type Naming = {
  [Code in ErrorCode]: DetailsOf<Code> extends { readonly existingId: string } ? Code : never
}[ErrorCode]

const existing: Readonly<Record<Naming, string>> = {
  external_reference_in_use: 'ord',
  customer_exists: 'cus',
  payment_reference_in_use: 'pay',
  remittance_reference_in_use: 'rmt',
  slug_in_use: 'prd',
  sku_in_use: 'var',
  option_values_in_use: 'var',
  code_in_use: 'dsc',
}

/** Example values of `details` fields whose schema has no example value. */
const known: Readonly<Record<string, unknown>> = {
  orderIds: [id('ord')],
  orderId: id('ord'),
  itemIds: [id('itm')],
  itemId: id('itm'),
  imageIds: [id('img')],
  variantIds: [id('var')],
  variantId: id('var'),
  shipmentId: id('shp'),
  sku: 'ANK-MAX-M-IND',
  code: 'DETTY10',
  requiredScope: 'orders:write',
  tokenScopes: ['orders:read'],
  sourceIp: '102.89.23.4',
  startsAt: '2026-12-01T00:00:00.000Z',
  endsAt: '2026-11-30T00:00:00.000Z',
}

function id(prefix: string): string {
  return `${prefix}_01jd3f8q6hf5n8v1zr4c7e2m9k`
}

function exampleFor(given: unknown, path: readonly [ErrorCode, ...string[]]): unknown {
  const schema = resolved(given)
  const examples = at(schema, 'examples')
  if (Array.isArray(examples)) return examples[0]
  const properties = at(schema, 'properties')
  if (typeof properties === 'object' && properties !== null) {
    return Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [name, exampleFor(field, [...path, name])]),
    )
  }
  const name = path.at(-1) ?? ''
  if (name === 'existingId') return id(new Map<string, string>(Object.entries(existing)).get(path[0]) ?? 'ord')
  if (Object.hasOwn(known, name)) return known[name]
  const values = at(schema, 'enum')
  if (Array.isArray(values)) return values[0]
  const items = at(schema, 'items')
  if (items !== undefined) return [exampleFor(items, path)]
  throw new Error(`The field ${path.slice(1).join('.')} in the details of ${path[0]} needs an example.`)
}
