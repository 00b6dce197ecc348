import { execFile } from 'node:child_process'
import { createServer, type IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { type Commerce, createCommerce } from '../src/client/index.ts'

/**
 * `npm run walkthrough`: creates a merchant, a product, an order, a payment, a refund and a shipment on a running
 * service. It uses the TypeScript client, so a breaking change of the contract fails to compile.
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
    const baseUrl = `${url}/api/v1`
    await sell(createCommerce({ baseUrl, token: shop.token }))
    await receiver.waitFor(['order.created', 'inventory.low_stock', 'order.status_changed', 'order.refunded'])
    say('All four webhooks arrived with valid signatures.')
    await ship(createCommerce({ baseUrl, token: shop.testToken }))
  } finally {
    receiver.close()
  }
}

async function sell(api: Commerce): Promise<void> {
  const product = await api.products.create({
    title: 'Ankara maxi dress',
    status: 'active',
    options: [{ name: 'size', values: ['M', 'L'] }],
    variants: [
      { optionValues: { size: 'M' }, priceKobo: 1_500_000, inventory: { onHand: 7, lowStockThreshold: 5 } },
      { optionValues: { size: 'L' }, priceKobo: 1_600_000, inventory: { onHand: 3, lowStockThreshold: 0 } },
    ],
  })
  const [medium, large] = product.variants
  if (medium === undefined || large === undefined) throw new Error('A created variant is missing.')
  say(`Created ${product.title} in ${product.variants.map(({ title }) => title).join(' and ')}: ${product.id}`)

  const order = await api.orders.create({
    customer: { name: 'Adaeze Okafor', email: 'adaeze.okafor@example.com', phone: '+2348031234567' },
    items: [
      { variantId: medium.id, quantity: 2 },
      { variantId: large.id, quantity: 1 },
    ],
    shippingAddress: { line1: '12 Admiralty Way', city: 'Lekki' },
    shippingKobo: 250_000,
    paymentMethod: 'bank_transfer',
  })
  say(
    `Created order ${order.number} of ${naira(order.totalKobo)}: status ${order.status}, payment ${order.paymentStatus}`,
  )

  const payment = await api.payments.record(order.id, {
    amountKobo: order.totalKobo,
    method: 'bank_transfer',
    reference: `walkthrough-${order.number}`,
  })
  say(
    `Recorded a payment of ${naira(payment.amountKobo)}: status ${payment.order.status}, payment ${payment.order.paymentStatus}`,
  )

  const item = order.items.find(({ variantId }) => variantId === large.id)
  if (item === undefined) throw new Error('The order has no item of size L.')
  const items = [{ itemId: item.id, quantity: 1, restock: true }]
  const refund = await api.refunds.create(
    { orderId: order.id, amountKobo: item.totalKobo, reason: 'wrong_size', items },
    { headers: { 'Idempotency-Key': `walkthrough-${order.number}` } },
  )
  say(`Refunded ${naira(refund.amountKobo)} for one ${item.title}, ${item.variantTitle}, and restocked it`)

  const { variants } = await api.products.get(product.id)
  const available = variants.find(({ id }) => id === large.id)?.inventory.available
  if (available !== 3)
    throw new Error(`The available quantity of size L is ${available}, expected 3 after the restock.`)
}

/** Ships a parcel with the API in test mode, which uses simulated carriers. */
async function ship(api: Commerce): Promise<void> {
  const quote = await api.quotes.create({
    pickup: { name: 'Adire Lagos', phone: '+2348031234567', line1: '7 Adeola Odeku Street', area: 'Victoria Island' },
    dropoff: { name: 'Adaeze Okafor', phone: '+2348029876543', line1: '12 Admiralty Way', area: 'Lekki Phase 1' },
    parcels: [{ description: 'Ankara maxi dress, M', weightGrams: 800, valueKobo: 1_500_000 }],
    serviceLevels: ['on_demand'],
  })
  for (const { carrierName, service, priceKobo } of quote.offers) {
    say(`${carrierName} offers ${service} for ${naira(priceKobo)}`)
  }

  const shipment = await api.shipments.dispatch({ reference: `walkthrough-${quote.id}`, quoteId: quote.id })
  say(`${shipment.carrier?.name ?? 'No carrier'} accepted shipment ${shipment.id}: status ${shipment.status}`)

  const tracking = await api.shipments.track(shipment.id)
  say(`Shipment status ${tracking.status}, estimated arrival ${tracking.eta?.p50 ?? 'unknown'}`)

  // The highest cancellation fee that the request accepts. The carrier charges nothing at first and never more than the
  // price.
  const maxFeeKobo = shipment.priceKobo ?? 0
  const cancelled = await api.shipments.cancel(shipment.id, { reason: 'customer_request', maxFeeKobo })
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
