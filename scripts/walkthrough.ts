import { execFile } from 'node:child_process'
import { createServer, type IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import createClient, { type Client } from 'openapi-fetch'
import { Webhook } from 'standardwebhooks'
import type { paths } from '../generated/api.d.ts'

/**
 * `npm run walkthrough`: the first hour of a shop, from its first dress to the refund of one and the parcel of another, against a running service. What
 * it sends and reads is typed by generated/api.d.ts, so a change of the contract that breaks it does not compile.
 */
const url = process.argv[2] ?? 'http://127.0.0.1:3000'

/** A worker delivers within a second or two; this is for a busy machine. */
const patienceMs = 30_000

const run = promisify(execFile)

await walk()

async function walk(): Promise<void> {
  const receiver = await startReceiver()
  try {
    const shop = await openShop(receiver.url)
    receiver.verifyWith(shop.secret)
    const options = { baseUrl: `${url}/api/v1` }
    await sell(createClient<paths>({ ...options, headers: { Authorization: `Bearer ${shop.token}` } }))
    await receiver.waitFor(['order.created', 'inventory.low_stock', 'order.status_changed', 'order.refunded'])
    say('All four webhooks arrived, and their signatures hold.')
    await send(createClient<paths>({ ...options, headers: { Authorization: `Bearer ${shop.testToken}` } }))
  } finally {
    receiver.close()
  }
}

async function sell(api: Client<paths>): Promise<void> {
  const product = answered(
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
  say(`Made ${product.title} in ${product.variants.map(({ title }) => title).join(' and ')}: ${product.id}`)

  const order = answered(
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
  say(`Took order ${order.number} of ${naira(order.totalKobo)}: it is ${order.status}, ${order.paymentStatus}`)

  const payment = answered(
    await api.POST('/orders/{id}/payments', {
      params: { path: { id: order.id } },
      body: { amountKobo: order.totalKobo, method: 'bank_transfer', reference: `walkthrough-${order.number}` },
    }),
  )
  say(`Recorded ${naira(payment.amountKobo)}: the order is ${payment.order.status}, ${payment.order.paymentStatus}`)

  const line = order.items.find(({ variantId }) => variantId === large.id)
  if (line === undefined) throw new Error('The order has a line of the large one.')
  const refund = answered(
    await api.POST('/refunds', {
      params: { header: { 'Idempotency-Key': `walkthrough-${order.number}` } },
      body: {
        orderId: order.id,
        amountKobo: line.totalKobo,
        reason: 'wrong_size',
        items: [{ itemId: line.id, quantity: 1, restock: true }],
      },
    }),
  )
  say(`Refunded ${naira(refund.amountKobo)} for one ${line.title}, ${line.variantTitle}, which is on the shelf again`)

  const { data: left } = answered(await api.GET('/products', { params: { query: { sku: large.sku } } }))
  const shelf = left[0]?.variants.find(({ id }) => id === large.id)?.inventory.available
  if (shelf !== 3) throw new Error(`Three of the large one should be there again, and there are ${shelf}.`)
}

/** On the shop’s test side, whose carriers are made up. */
async function send(api: Client<paths>): Promise<void> {
  const quote = answered(
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
    say(`${carrierName} would bring it for ${naira(priceKobo)}, as ${service}`)
  }

  const shipment = answered(
    await api.POST('/logistics/dispatch', { body: { reference: `walkthrough-${quote.id}`, quoteId: quote.id } }),
  )
  say(`${shipment.carrier?.name ?? 'No carrier'} accepted the shipment: ${shipment.id} is ${shipment.status}`)

  const path = { id: shipment.id }
  const seen = answered(await api.GET('/logistics/shipments/{id}/track', { params: { path } }))
  say(`It is ${seen.status}, and expected by ${seen.eta?.p50 ?? 'nobody knows when'}`)

  const gone = answered(
    await api.POST('/logistics/shipments/{id}/cancel', {
      params: { path },
      // What a carrier charges for it has to be accepted; at first that is nothing, and never more than the price.
      body: { reason: 'customer_request', maxFeeKobo: shipment.priceKobo ?? 0 },
    }),
  )
  say(`Called it off for ${naira(gone.cancellation.feeKobo ?? 0)}: it is ${gone.status}`)
}

/** Tokens and webhook endpoints are the merchant's own affair, so they are made by the command line, not by the API. */
async function openShop(receiverUrl: string): Promise<{ token: string; testToken: string; secret: string }> {
  const merchant = await commerce('merchant', 'create', '--name', 'Adire Lagos')
  say(`Opened a shop: ${merchant.id}`)
  const scopes = ['products:write', 'products:read', 'orders:write', 'refunds:write'].join(',')
  const of = ['--merchant', String(merchant.id)]
  const token = await commerce('token', 'create', ...of, '--name', 'walkthrough', '--scopes', scopes)
  const carrying = ['logistics:read', 'logistics:quote', 'logistics:dispatch'].join(',')
  const inTest = [...of, '--mode', 'test']
  const testToken = await commerce('token', 'create', ...inTest, '--name', 'walkthrough', '--scopes', carrying)
  const events = ['order.created', 'order.status_changed', 'order.refunded', 'inventory.low_stock'].join(',')
  const endpoint = await commerce('webhook', 'create', ...of, '--url', receiverUrl, '--events', events)
  say(`Its events go to ${receiverUrl}`)
  return { token: String(token.token), testToken: String(testToken.token), secret: String(endpoint.secret) }
}

async function commerce(...words: string[]): Promise<Readonly<Record<string, unknown>>> {
  const { stdout } = await run(process.execPath, ['src/cli.ts', ...words, '--json'])
  return JSON.parse(stdout)
}

/** The body of an answer that is a success; anything else ends the walk with what the service said. */
function answered<Body>(reply: { data?: Body; error?: unknown; response: Response }): Body {
  if (reply.data === undefined) throw new Error(`${reply.response.status} ${JSON.stringify(reply.error)}`)
  return reply.data
}

async function startReceiver() {
  const arrived: string[] = []
  let secret = ''
  let tell = () => {}
  const server = createServer((incoming, outgoing) => {
    receive(incoming).then(
      (kind) => {
        say(`  webhook: ${kind}`)
        arrived.push(kind)
        outgoing.end()
        tell()
      },
      (error: unknown) => {
        say(`  refused a delivery: ${String(error)}`)
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
        const timer = setTimeout(() => reject(new Error(`These never arrived: ${missing().join(', ')}`)), patienceMs)
        tell = () => {
          if (missing().length > 0) return
          clearTimeout(timer)
          resolve()
        }
        tell()
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
