import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { installClient } from '../../support/reference/install-client.ts'
import { openShop } from '../../support/shop.ts'

/**
 * Tests the client package that the service serves: the package is installed in a separate folder, and a program that
 * uses it is compiled with the strictest settings.
 */
const started = useApi()
const run = promisify(execFile)
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commerce-client-'))
  const modules = join(folder, 'node_modules')
  await mkdir(modules)
  await installClient(modules)
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Timeout of the compiler, which reads every type of the contract and takes long on a busy machine. */
const compileMs = 180_000

const compilerOptions = {
  ...{
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
  },
  ...{ target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'], types: [] },
}

/** Returns the compiler’s diagnostics, each with its file and line. */
async function complaintsOf(programs: Readonly<Record<string, string>>): Promise<string[]> {
  for (const [name, text] of Object.entries(programs)) await writeFile(join(folder, name), text)
  const config = { compilerOptions: { ...compilerOptions, module: 'nodenext' }, files: Object.keys(programs) }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const compiler = resolve('node_modules/typescript/bin/tsc')
  const outcome: unknown = await run(process.execPath, [compiler, '-p', folder], { cwd: folder }).catch(
    (error) => error,
  )
  return String(Object(outcome).stdout)
    .split('\n')
    .filter((line) => /^\S/.test(line))
}

const program = `
import { unwrap, CommerceError, createCommerce, type Order } from 'commerce-service-client'
import { verifyWebhook } from 'commerce-service-client/webhooks'

const commerce = createCommerce({ baseUrl: 'http://127.0.0.1:1/api/v1', token: 'svc_test_1' })
for await (const order of commerce.list('/orders', { query: { status: ['pending'] } })) {
  const total: number = order.totalKobo
  console.log(total)
}
const { error } = await commerce.POST('/refunds', { body: { orderId: 'ord_1', amountKobo: 1, reason: 'damaged' } })
if (error?.error.code === 'refund_exceeds_refundable') {
  const left: number = error.error.details.refundableKobo
  console.log(left)
}
const page = unwrap(await commerce.GET('/products'))
const title: string | undefined = page.data[0]?.title
const verification = await verifyWebhook({ rawBody: '', headers: {}, secret: 'whsec_1' })
if (verification.is === 'verified' && verification.event.event === 'order.created') console.log(verification.event.data)
console.log(title, CommerceError.name)
const order: Order = await commerce.orders.get('ord_1')
for await (const { number } of commerce.orders.list({ status: ['pending'] })) console.log(number)
const refund = await commerce.refunds.create(
  { orderId: order.id, amountKobo: 1, reason: 'damaged' },
  { headers: { 'Idempotency-Key': 'return-205-1' } },
)
await commerce.variants.update('prd_1', 'var_1', { priceKobo: 100 })
await commerce.orders.cancel(order.id, { reason: 'customer' })
console.log(refund.status)
`

const wrong = `
import { createCommerce } from 'commerce-service-client'
const commerce = createCommerce({ baseUrl: '', token: '' })
commerce.list('/orders/{id}')
commerce.list('/orders', { query: { colour: 'red' } })
commerce.list('/products/{id}/variants/{variantId}/inventory/movements')
await commerce.POST('/refunds', { body: { orderId: 'ord_1' } })
await commerce.orders.get()
await commerce.refunds.create({ orderId: 'ord_1' })
commerce.orders.list({ colour: 'red' })
await commerce.orders.delete('ord_1')
`

test('a program that uses the client package compiles in strict mode, and uses of undocumented members do not compile', {
  timeout: compileMs,
}, async () => {
  const complaints = await complaintsOf({ 'program.ts': program, 'wrong.ts': wrong })
  const places = complaints.map((line) => line.slice(0, line.indexOf(',')))
  expect([...new Set(places)], complaints.join('\n')).toEqual(
    [4, 5, 6, 7, 8, 9, 10, 11].map((line) => `wrong.ts(${line}`),
  )
})

test('the version of the client package is the version of the contract', async () => {
  const version = async (path: string, ...at: string[]): Promise<unknown> => {
    const read: unknown = JSON.parse(await readFile(path, 'utf8'))
    return at.reduce((value, name) => Reflect.get(Object(value), name), read)
  }
  const built = join(folder, 'node_modules', 'commerce-service-client', 'package.json')
  expect(await version(built, 'version')).toBe(await version('openapi.json', 'info', 'version'))
})

test('a program runs with the client package that the service serves', async () => {
  const api = started()
  const { token } = await openShop(api.context)
  const program = `
import { createCommerce } from 'commerce-service-client'
const commerce = createCommerce({ baseUrl: '${api.url}/api/v1', token: '${token}' })
for (const title of ['One', 'Two', 'Three']) {
  const { error } = await commerce.POST('/products', { body: { title, status: title === 'Two' ? 'active' : 'draft', variants: [{ priceKobo: 100 }] } })
  if (error) throw new Error(error.error.code)
}
const titles = []
for await (const product of commerce.list('/products', { query: { limit: 1, status: ['draft', 'active'] } })) titles.push(product.title)
console.log(titles.sort().join())
`
  await writeFile(join(folder, 'program.mjs'), program)
  const { stdout } = await run(process.execPath, ['program.mjs'], { cwd: folder })
  expect(stdout).toBe('One,Three,Two\n')
})
