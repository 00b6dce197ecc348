import { execFile } from 'node:child_process'
import { createServer, type IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import createClient, { type Client } from 'openapi-fetch'
import { Webhook } from 'standardwebhooks'
import type { paths } from '../generated/api.d.ts'

/**
 * `npm run walkthrough`: creates a merchant, a product, an order, a payment, a refund and a shipment on a running
 * service. Requests and responses are typed by generated/api.d.ts, so a breaking change of the contract fails to
 * compile.
 */
const url = process.argv[2] ?? 'http://127.0.0.1:3000'

/** Maximum wait for webhook deliveries. A worker delivers within two seconds, and needs longer on a busy machine. */
const webhookTimeoutMs = 30_000

const execute = promisify(execFile)

await walk()

async function walk(): Promise<void> {
  const receiver = await startReceiver()
  try {
    const shop = await createMerchant(receiver.url)
    receiver.verifyWith(shop.secret)
    const options = { baseUrl: `${url}/api/v1` }
    await sell(createClient<paths>({ ...options, headers: { Authorization: `Bearer ${shop.token}` } }))
    await receiver.waitFor(['order.created', 'inventory.low_stock', 'order.status_changed', 'order.refunded'])
    say('All four webhooks arrived with valid signatures.')
    await ship(createClient<paths>({ ...options, headers: { Authorization: `Bearer ${shop.testToken}` } }))
  } finally {
    receiver.close()
  }
}

async function sell(api: Client<paths>): Promise<void> {
  const product = successOf(
    await api.POST('/products', {
      body: {
        title: 'Ankara maxi dress',
        status: 'active',
        options: [{ name: 'size', values: ['M', 'L'] }],
        variants: [
          { optionValues: { size: 'M' }, priceKobo: 1_500_000, inventory: { onHand: 7, lowStockThreshold: 5 } },
          { optionValues: { size: 'L' }, priceKobo: 1_600_000, inventory: { onHand: 3, lowStockThreshold: 0 } },
        ],
      },
    }),
  )
  const [medium, large] = product.variants
  if (medium === undefined || large === undefined) throw new Error('The product has two variants.')
  say(`Created ${product.title} in ${product.variants.map(({ title }) => title).join(' and ')}: ${product.id}`)

  const order = successOf(
    await api.POST('/orders', {
      body: {
        customer: { name: 'Adaeze Okafor', email: 'adaeze.okafor@example.com', phone: '+2348031234567' },
        items: [
          { variantId: medium.id, quantity: 2 },
          { variantId: large.id, quantity: 1 },
        ],
        shippingAddress: { line1: '12 Admiralty Way', city: 'Lekki' },
        shippingKobo: 250_000,
        paymentMethod: 'bank_transfer',
      },
    }),
  )
  say(
    `Created order ${order.number} of ${naira(order.totalKobo)}: status ${order.status}, payment ${order.paymentStatus}`,
  )

  const payment = successOf(
    await api.POST('/orders/{id}/payments', {
      params: { path: { id: order.id } },
      body: { amountKobo: order.totalKobo, method: 'bank_transfer', reference: `walkthrough-${order.number}` },
    }),
  )
  say(
    `Recorded a payment of ${naira(payment.amountKobo)}: status ${payment.order.status}, payment ${payment.order.paymentStatus}`,
  )

  const item = order.items.find(({ variantId }) => variantId === large.id)
  if (item === undefined) throw new Error('The order has no item of size L.')
  const refund = successOf(
    await api.POST('/refunds', {
      params: { header: { 'Idempotency-Key': `walkthrough-${order.number}` } },
      body: {
        orderId: order.id,
        amountKobo: item.totalKobo,
        reason: 'wrong_size',
        items: [{ itemId: item.id, quantity: 1, restock: true }],
      },
    }),
  )
  say(`Refunded ${naira(refund.amountKobo)} for one ${item.title}, ${item.variantTitle}, and restocked it`)

  const { data: products } = successOf(await api.GET('/products', { params: { query: { sku: large.sku } } }))
  const available = products[0]?.variants.find(({ id }) => id === large.id)?.inventory.available
  if (available !== 3)
    throw new Error(`The available quantity of size L is ${available}, expected 3 after the restock.`)
}

/** Ships a parcel with the API in test mode, which uses simulated carriers. */
async function ship(api: Client<paths>): Promise<void> {
  const quote = successOf(
    await api.POST('/logistics/quote', {
      body: {
        pickup: {
          name: 'Adire Lagos',
          phone: '+2348031234567',
          line1: '7 Adeola Odeku Street',
          area: 'Victoria Island',
        },
        dropoff: { name: 'Adaeze Okafor', phone: '+2348029876543', line1: '12 Admiralty Way', area: 'Lekki Phase 1' },
        parcels: [{ description: 'Ankara maxi dress, M', weightGrams: 800, valueKobo: 1_500_000 }],
        serviceLevels: ['on_demand'],
      },
    }),
  )
  for (const { carrierName, service, priceKobo } of quote.offers) {
    say(`${carrierName} offers ${service} for ${naira(priceKobo)}`)
  }

  const shipment = successOf(
    await api.POST('/logistics/dispatch', { body: { reference: `walkthrough-${quote.id}`, quoteId: quote.id } }),
  )
  say(`${shipment.carrier?.name ?? 'No carrier'} accepted shipment ${shipment.id}: status ${shipment.status}`)

  const path = { id: shipment.id }
  const tracking = successOf(await api.GET('/logistics/shipments/{id}/track', { params: { path } }))
  say(`Shipment status ${tracking.status}, estimated arrival ${tracking.eta?.p50 ?? 'unknown'}`)

  const cancelled = successOf(
    await api.POST('/logistics/shipments/{id}/cancel', {
      params: { path },
      // The highest cancellation fee that the request accepts. The carrier charges nothing at first and never more than
      // the price.
      body: { reason: 'customer_request', maxFeeKobo: shipment.priceKobo ?? 0 },
    }),
  )
  say(`Cancelled the shipment for a fee of ${naira(cancelled.cancellation.feeKobo ?? 0)}: status ${cancelled.status}`)
}

/**
 * Creates a merchant, its tokens and its webhook endpoint with the command line, because the API does not manage
 * merchants and tokens.
 */
async function createMerchant(receiverUrl: string): Promise<{ token: string; testToken: string; secret: string }> {
  const merchant = await commerce('merchant', 'create', '--name', 'Adire Lagos')
  say(`Created merchant ${merchant.id}`)
  const scopes = ['products:write', 'products:read', 'orders:write', 'refunds:write'].join(',')
  const of = ['--merchant', String(merchant.id)]
  const token = await commerce('token', 'create', ...of, '--name', 'walkthrough', '--scopes', scopes)
  const logisticsScopes = ['logistics:read', 'logistics:quote', 'logistics:dispatch'].join(',')
  const inTest = [...of, '--mode', 'test']
  const testToken = await commerce('token', 'create', ...inTest, '--name', 'walkthrough', '--scopes', logisticsScopes)
  const events = ['order.created', 'order.status_changed', 'order.refunded', 'inventory.low_stock'].join(',')
  const endpoint = await commerce('webhook', 'create', ...of, '--url', receiverUrl, '--events', events)
  say(`Created a webhook endpoint for ${receiverUrl}`)
  return { token: String(token.token), testToken: String(testToken.token), secret: String(endpoint.secret) }
}

async function commerce(...words: string[]): Promise<Readonly<Record<string, unknown>>> {
  const { stdout } = await execute(process.execPath, ['src/cli.ts', ...words, '--json'])
  return JSON.parse(stdout)
}

/**
 * Returns the body of a successful response. For any other response, throws an error with the status and the error
 * body.
 */
function successOf<Body>(reply: { data?: Body; error?: unknown; response: Response }): Body {
  if (reply.data === undefined) throw new Error(`${reply.response.status} ${JSON.stringify(reply.error)}`)
  return reply.data
}

async function startReceiver() {
  const arrived: string[] = []
  let secret = ''
  let onEvent = () => {}
  const server = createServer((incoming, outgoing) => {
    receive(incoming).then(
      (kind) => {
        say(`  webhook: ${kind}`)
        arrived.push(kind)
        outgoing.end()
        onEvent()
      },
      (error: unknown) => {
        say(`  rejected a delivery: ${String(error)}`)
        outgoing.writeHead(400).end()
      },
    )
  })
  const receive = async (incoming: IncomingMessage): Promise<string> => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
    const event: unknown = new Webhook(secret).verify(Buffer.concat(chunks).toString(), headers)
    return String(Reflect.get(Object(event), 'event'))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    verifyWith: (signingSecret: string) => {
      secret = signingSecret
    },
    waitFor: (kinds: readonly string[]) =>
      new Promise<void>((resolve, reject) => {
        const missing = () => kinds.filter((kind) => !arrived.includes(kind))
        const timer = setTimeout(
          () => reject(new Error(`These webhooks did not arrive: ${missing().join(', ')}`)),
          webhookTimeoutMs,
        )
        onEvent = () => {
          if (missing().length > 0) return
          clearTimeout(timer)
          resolve()
        }
        onEvent()
      }),
    close: () => server.close().closeAllConnections(),
  }
}

function naira(amountKobo: number): string {
  return `₦${(amountKobo / 100).toLocaleString('en-NG')}`
}

function say(line: string): void {
  console.log(line)
}
