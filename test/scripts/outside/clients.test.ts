import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { createClient } from '@hey-api/openapi-ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiRoot } from '../../../registry/kit/endpoint.ts'
import { endpointIds } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { anysIn, compileStrictly, exportedTypes, propertiesOf } from '../../support/contract/any-type.ts'
import { openShop, orderBody, placeOrder, stockVariant } from '../../support/shop.ts'

/** API clients that two independent generators create from openapi.json. */

const started = useApi()
const root = fileURLToPath(new URL('../../../', import.meta.url))
const run = promisify(execFile)

/** Timeout of the compiler: compiling clients of this size takes seconds, and minutes on a busy machine. */
const timeoutMs = 900_000

let folder: string
let compiled: ReturnType<typeof compileStrictly>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commerce-clients-'))
  await createClient({
    input: join(root, 'openapi.json'),
    output: { path: join(folder, 'hey'), module: { extension: '.ts' } },
    logs: { level: 'silent' },
  })
  const args = ['generate-client', join(root, 'openapi.json'), '--output', join(folder, 'redocly.ts')]
  await run(join(root, 'node_modules/.bin/redocly'), args, {
    // Without telemetry.
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })
  await writeFile(join(folder, 'use-hey.ts'), useHey + given)
  await writeFile(join(folder, 'use-redocly.ts'), useRedocly + given)
  compiled = compileStrictly([join(folder, 'use-hey.ts'), join(folder, 'use-redocly.ts')])
}, timeoutMs)
afterAll(() => rm(folder, { recursive: true, force: true }))

/**
 * A program as an integrator writes it. It asserts the types of the values that it reads, so it would not compile if a
 * value had the type `unknown`.
 */
const useHey = `
import { createClient, createConfig } from './hey/client/index.ts'
import { createOrder, createRefund, listOrders } from './hey/index.ts'

export async function use(baseUrl: string, token: string, { order, refund }: Given): Promise<Used> {
  const client = createClient(createConfig({ baseUrl, auth: token }))
  const created = await createOrder({ client, body: order })
  const listed = await listOrders({ client, query: { limit: 1, status: ['pending', 'processing'] } })
  const refunded = await createRefund({ client, body: refund, headers: { 'Idempotency-Key': 'outside-1' } })
  const refused = await createRefund({ client, body: { ...refund, orderId: 'ord_00000000000000000000000000' } })
  if (created.data === undefined || listed.data === undefined || refunded.data === undefined) {
    throw new Error(JSON.stringify([created.error, listed.error, refunded.error]))
  }
  const [first] = listed.data.data
  const createdId: string = created.data.id
  const listedId: string | undefined = first?.id
  const refundedKobo: number = refunded.data.order.refundedKobo
  const code: string | undefined = refused.error?.error.code
  return { createdId, listedId, refundedKobo, code }
}
`

const useRedocly = `
import { ApiError, client } from './redocly.ts'

export async function use(serverUrl: string, token: string, { order, refund }: Given): Promise<Used> {
  client.configure({ serverUrl, auth: { bearer: token } })
  const created = await client.createOrder({ body: order })
  const listed = await client.listOrders({ query: { limit: 1, status: ['pending', 'processing'] } })
  const refunded = await client.createRefund({ body: refund, headers: { 'Idempotency-Key': 'outside-2' } })
  const missing = { ...refund, orderId: 'ord_00000000000000000000000000' }
  const code = await client.createRefund({ body: missing }).then(
    () => undefined,
    (error: unknown) => (error instanceof ApiError ? String(JSON.stringify(error.body).match(/"code":"(\\w+)"/)?.[1]) : undefined),
  )
  const createdId: string = created.id
  const listedId: string | undefined = listed.data[0]?.id
  const refundedKobo: number = refunded.order.refundedKobo
  return { createdId, listedId, refundedKobo, code }
}
`

const given = `
interface Given {
  readonly order: {
    customer: { name: string; email: string; phone: string }
    items: { variantId: string; quantity: number }[]
    paymentMethod: 'bank_transfer'
  }
  readonly refund: { orderId: string; amountKobo: number; reason: string }
}

interface Used {
  readonly createdId: string
  readonly listedId: string | undefined
  readonly refundedKobo: number
  readonly code: string | undefined
}
`

test('both generated clients and a program that uses them compile in strict mode', () => {
  expect(compiled.faults).toEqual([])
})

describe('types of the generated clients', () => {
  test('the client of @hey-api/openapi-ts does not use the type any in the input or output of an operation', () => {
    const types = exportedTypes(compiled.program, join(folder, 'hey/index.ts'))
    const anys = endpointIds.flatMap((id) => {
      const name = id.charAt(0).toUpperCase() + id.slice(1)
      const data = types.get(`${name}Data`)
      const replies = types.get(`${name}Responses`)
      // The operation that returns the OpenAPI document is the only one that declares no errors.
      const errors = types.get(`${name}Errors`)
      if (data === undefined || replies === undefined) return [`${id} has no types`]
      return [data, replies, ...(errors === undefined ? [] : [errors])].flatMap((type) =>
        anysIn(compiled.program, type, id),
      )
    })
    expect(anys).toEqual([])
  })

  test('the client of redocly generate-client does not use the type any in the input or output of an operation', () => {
    const operations = exportedTypes(compiled.program, join(folder, 'redocly.ts')).get('Ops')
    if (operations === undefined) throw new Error('The client has a type of all its operations.')
    const types = propertiesOf(compiled.program, operations)
    expect([...types.keys()].sort()).toEqual([...endpointIds].sort())
    expect([...types].flatMap(([id, type]) => anysIn(compiled.program, type, id))).toEqual([])
  })

  test('the check of generated clients reports each use of the type any inside another type', async () => {
    const path = join(folder, 'with-any.ts')
    await writeFile(path, 'export type Given = { rows: { name: string; more?: any }[]; by: Record<string, any> }')
    const { program } = compileStrictly([path])
    const type = exportedTypes(program, path).get('Given')
    expect(type && anysIn(program, type, 'given')).toEqual(['given.rows[].more', 'given.by[key]'])
  })
})

describe('generated clients against the running service', () => {
  test.for([
    'use-hey.ts',
    'use-redocly.ts',
  ])('the client program %s lists, creates and refunds orders at the running service', async (file) => {
    const api = started()
    const shop = await openShop(api.context)
    const paid = await placeOrder(api, shop)
    const { variantId } = await stockVariant(api, shop.merchantId)
    // The test advances the clock, so that the existing orders are older than those that the generated client creates.
    api.clock.advance(1000)
    const { use } = await import(pathToFileURL(join(folder, file)).href)
    const refund = { orderId: paid.id, amountKobo: 100_000, reason: 'damaged' }
    const used = await use(api.url + apiRoot, shop.token, { order: orderBody(variantId), refund })
    expect(used).toEqual({
      createdId: expect.stringMatching(/^ord_/),
      listedId: used.createdId,
      refundedKobo: 100_000,
      code: 'order_not_found',
    })
  })
})
