import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { useApi } from '../support/api.ts'
import { parseAnswer, sendBytes } from '../support/socket.ts'

/** A client that does not read its responses must not fill the memory of the process with them. */

const bounds = { perMerchant: 3, perAddress: 3 }

const started = useApi({ waitBounds: bounds })

/** The last request asks the service to close the connection after its response. */
function requestsOf(path: string, count: number): string {
  const request = `GET ${path} HTTP/1.1\r\nHost: a\r\n`
  return `${request}\r\n`.repeat(count - 1) + `${request}Connection: close\r\n\r\n`
}

/**
 * Number of responses: more than fit in the buffers of the operating system, so that the process must wait for the
 * client.
 */
const responseCount = 8

const path = '/api/v1/openapi.json'

/** Sends several requests with large responses, and reads no response. */
async function requestUnread(): Promise<Socket> {
  const socket = connect(started().port, '127.0.0.1')
  // The service may reset the connection, which raises this socket error.
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  socket.write(requestsOf(path, responseCount))
  return socket
}

async function readAll(socket: Socket): Promise<number> {
  socket.resume()
  await once(socket, 'close')
  return socket.bytesRead
}

/**
 * Counts the connections that the service has closed. A client that does not read from a connection notices its end
 * only when it writes.
 */
function countClosed(sockets: readonly Socket[]): number {
  for (const socket of sockets) socket.write('\r\n')
  return sockets.filter(({ destroyed }) => destroyed).length
}

test('the service closes a connection when its client address exceeds the limit of unread responses, and serves other requests', async () => {
  const complete = await readAll(await requestUnread())
  const unread = await Promise.all(Array.from({ length: bounds.perAddress + 1 }, requestUnread))
  await expect.poll(() => countClosed(unread)).toBe(1)
  const other = parseAnswer(await sendBytes(started(), requestsOf('/api/v1/orders', 1)))
  expect(other.status).toBe(401)
  const sizes = await Promise.all(unread.filter(({ destroyed }) => !destroyed).map(readAll))
  expect(sizes).toEqual(Array.from({ length: bounds.perAddress }, () => complete))
})
