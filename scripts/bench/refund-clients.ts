import { createServer } from 'node:http'
import { Agent, request } from 'undici'

/**
 * This process simulates 200 clients. Between GET /start and GET /stop, they repeatedly refund one kobo of one order.
 */
const clientCount = 200

const [url = '', token = '', orderId = ''] = process.argv.slice(2)
const agent = new Agent({ connections: clientCount })
let isRunning = false
const statuses = new Map<number, number>()

async function refundAgain(): Promise<void> {
  while (isRunning) {
    const response = await request(`${url}/api/v1/refunds`, {
      method: 'POST',
      dispatcher: agent,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ orderId, amountKobo: 1, reason: 'damaged' }),
    })
    await response.body.dump()
    statuses.set(response.statusCode, (statuses.get(response.statusCode) ?? 0) + 1)
  }
}

let clients: Promise<unknown> = Promise.resolve()
const server = createServer(async (incoming, response) => {
  if (incoming.url === '/start') {
    isRunning = true
    clients = Promise.all(Array.from({ length: clientCount }, refundAgain))
  } else {
    isRunning = false
    await clients
  }
  response.end(JSON.stringify(Object.fromEntries(statuses)))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) process.send?.({ port: address.port })
})
