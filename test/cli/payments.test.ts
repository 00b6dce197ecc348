import { beforeAll, describe, expect, test } from 'vitest'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { systemClock } from '../../src/base/clock.ts'
import { vaultOf } from '../../src/base/vault.ts'
import { vendorExample } from '../partners/examples/example.ts'
import { useApi, vaultKey } from '../support/api.ts'
import { connectShop, paidByPaystack } from '../support/commerce/paystack.ts'
import { openShop, operator, placeOrder } from '../support/shop.ts'
import { commerceWithInput } from './commerce.ts'

const opened = useApi()
const settingsKey = Buffer.alloc(32, 5)
const settings = { ENCRYPTION_KEY: settingsKey.toString('base64') }
const secretKey = 'sk_live_4f1c2b7a9d'

let merchant = { id: '', testId: '' }
beforeAll(async () => {
  const { database } = opened()
  merchant = await createMerchant({ database, clock: systemClock, nudge: () => undefined }, operator, 'Adire Lagos')
})

function connect(input: string, words: readonly string[] = [], more: Readonly<Record<string, string>> = settings) {
  const request = { input, settings: more }
  const all = ['payments', 'paystack', '--merchant', merchant.id, ...words]
  return commerceWithInput(opened().connectionString, request, ...all)
}

describe('payments paystack', () => {
  test('the command `payments paystack` encrypts and stores the key from standard input, and prints only its last four characters', async () => {
    const { code, stdout, stderr } = await connect(`${secretKey}\n`, ['--json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({
      provider: 'paystack',
      keyLastFour: '7a9d',
      callbackPath: `/callbacks/paystack/${merchant.id}`,
      merchantId: merchant.id,
      mode: 'live',
    })
    const { rows } = await opened().database.pool.query('select * from payment_provider_keys')
    expect(rows).toMatchObject([{ merchant_id: merchant.id, provider: 'paystack', last_four: '7a9d' }])
    expect(JSON.stringify(rows)).not.toContain(secretKey)
    expect(rows[0].sealed_secret.includes(secretKey)).toBe(false)
    const binding = { merchantId: merchant.id, purpose: 'payment_provider_key', provider: 'paystack' } as const
    expect(vaultOf([settingsKey]).open(rows[0].sealed_secret, binding)).toBe(secretKey)
  })

  test('the command `payments paystack` replaces an earlier key, and records the last four characters of both keys in the audit log', async () => {
    expect((await connect('sk_live_0000zzzz')).code).toBe(0)
    const { rows } = await opened().database.pool.query(
      "select changes from audit_log where action = 'payment_provider.connect' order by occurred_at, id",
    )
    expect(rows.map(({ changes }) => changes.keyLastFour)).toEqual([
      [null, '7a9d'],
      ['7a9d', 'zzzz'],
    ])
    expect((await opened().database.pool.query('select 1 from payment_provider_keys')).rows).toHaveLength(1)
  })

  test.for([
    '',
    'pk_live_4f1c2b7a9d',
    'sk_live_',
    'two words',
  ])('the command `payments paystack` rejects the key %j without printing it', async (input) => {
    const { code, stdout, stderr } = await connect(input)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe('Standard input must contain a Paystack secret key, which starts with sk_.\n')
  })

  test.for([
    ['production', 1, 'but would mark real orders as paid.\n'],
    ['development', 0, ''],
  ] as const)('the command `payments paystack` with a test key and NODE_ENV=%s exits with %i', async ([
    environment,
    expected,
    message,
  ]) => {
    const { code, stderr } = await connect('sk_test_4f1c2b7a9d', [], { ...settings, NODE_ENV: environment })
    expect(code).toBe(expected)
    expect(stderr.endsWith(message)).toBe(true)
    expect(stderr).not.toContain('4f1c2b7a9d')
  })

  test('the command `payments paystack` accepts a live key in production', async () => {
    expect((await connect(secretKey, [], { ...settings, NODE_ENV: 'production' })).code).toBe(0)
  })

  test('the command `payments paystack` fails in test mode, which uses the simulated payment provider', async () => {
    const { code, stderr } = await connect(secretKey, ['--mode', 'test'])
    expect(code).toBe(1)
    expect(stderr).toContain('simulated payment provider')
  })

  test('the command `payments paystack` fails with the name of the variable when ENCRYPTION_KEY is missing', async () => {
    const { code, stderr } = await connect(secretKey, [], { ENCRYPTION_KEY: '' })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^ENCRYPTION_KEY is required to store secrets: 32 random bytes in base64/)
  })
})

describe('payments flutterwave', () => {
  const key = 'FLWSECK-4f1c2b7a9d3e-X'
  const hash = 'a-secret-hash-of-the-merchant'
  const connectFlutterwave = (input: string, words: readonly string[] = []) =>
    commerceWithInput(
      opened().connectionString,
      { input, settings },
      ...['payments', 'flutterwave', '--merchant', merchant.id, ...words],
    )

  test('the command `payments flutterwave` stores the secret key and the secret hash from two lines, and prints neither', async () => {
    const { code, stdout, stderr } = await connectFlutterwave(`${key}\n${hash}\n`, ['--json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const callbackPath = `/callbacks/flutterwave/${merchant.id}`
    expect(JSON.parse(stdout)).toMatchObject({ provider: 'flutterwave', keyLastFour: '3e-X', callbackPath })
    const { rows } = await opened().database.pool.query(
      "select * from payment_provider_keys where provider = 'flutterwave'",
    )
    const binding = { merchantId: merchant.id, purpose: 'payment_provider_key', provider: 'flutterwave' } as const
    expect(vaultOf([settingsKey]).open(rows[0].sealed_secret, binding)).toBe(`${key}\n${hash}`)
  })

  test.for([
    ['sk_live_4f1c2b7a9d', 'Standard input must contain a Flutterwave secret key, which starts with FLWSECK.\n'],
    [
      key,
      expect.stringMatching(/^The second line of standard input must be the secret hash of Flutterwave’s callbacks/),
    ],
    [`${key}\nshort`, expect.stringContaining('16 to 200 printable characters without spaces.')],
  ])('the command `payments flutterwave` rejects the input %j without printing it', async ([input, message]) => {
    const { code, stdout, stderr } = await connectFlutterwave(input)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toEqual(message)
    expect(stderr).not.toContain('4f1c2b7a9d')
  })
})

/** Runs a `payments` command with the test's fake Paystack server and returns the command's JSON output. */
async function payments(paystackUrl: string, ...words: readonly string[]): Promise<unknown> {
  const request = { input: '', settings: { ENCRYPTION_KEY: vaultKey.toString('base64'), PAYSTACK_URL: paystackUrl } }
  const ended = await commerceWithInput(opened().connectionString, request, 'payments', ...words, '--json')
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  return JSON.parse(ended.stdout)
}

test('the command `payments verify` records a payment that Paystack confirms, and the command is idempotent', async () => {
  const api = opened()
  const shop = await openShop(api.context)
  const { server } = await connectShop(api, shop)
  const { id, totalKobo } = await placeOrder(api, shop, { isPaid: false })
  const { data } = vendorExample('paystack-transaction-verify').body
  server.transactions.push({ ...data, reference: 'T1', amount: totalKobo, metadata: { orderId: id } })
  const verify = () => payments(server.url, 'verify', '--merchant', shop.merchantId, '--reference', 'T1')
  const recorded = await verify()
  expect(recorded).toMatchObject({ orderId: id, amountKobo: totalKobo, provider: 'paystack', reference: 'T1' })
  expect(await verify()).toEqual({ id: Reflect.get(Object(recorded), 'id') })
  const order = await api.send('GET', `/api/v1/orders/${id}`, { token: shop.token })
  expect(order.body).toMatchObject({ paymentStatus: 'paid', paidKobo: totalKobo })
})

test('the command `payments recheck` makes the service search for open refunds at Paystack before it submits these refunds', async () => {
  const api = opened()
  const { server, refund, later } = await paidByPaystack(api, await openShop(api.context))
  expect((await refund(1000)).status).toBe(201)
  expect(await payments(server.url, 'recheck')).toEqual({ refunds: 1 })
  await later()
  expect(server.requests.map(({ line }) => line)).toEqual(['GET /refund'])
})
