import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { connectionsPerAddress } from '../../src/http/limit-connections.ts'
import { useApi } from '../support/api.ts'

const started = useApi()
const behindProxy = useApi({ trustedProxies: 1 })

/** Opens one connection more than the limit of an address, all from one address, and sends nothing on them. */
function openTooMany(port: number): Promise<Socket[]> {
  return Promise.all(Array.from({ length: connectionsPerAddress + 1 }, () => open(port)))
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' })
  // The server resets a new connection from an IP address that already has too many connections.
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** Reports whether the service responds to a request on a connection. If it does not, it has closed the connection. */
function isServed(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    if (socket.closed) resolve(false)
    socket.once('data', () => resolve(true))
    socket.once('close', () => resolve(false))
    socket.write('HEAD /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n')
  })
}

test('a client address with a thousand idle connections cannot open another one, and clients at other addresses are still served', async () => {
  const connections = await openTooMany(started().port)
  // The operating system may accept the connections in another order than they were opened in, so any of them may be
  // the one above the limit.
  await expect.poll(() => connections.filter(({ closed }) => closed).length).toBe(1)
  expect((await fetch(`${started().url}/api/v1/openapi.json`)).status).toBe(200)
})

test('a trusted proxy can open more than a thousand connections, because the limit per address does not apply behind proxies', async () => {
  const connections = await openTooMany(behindProxy().port)
  const served = await Promise.all(connections.map(isServed))
  expect(served.filter((is) => !is)).toEqual([])
})
