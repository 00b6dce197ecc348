import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { connectionsPerAddress } from '../../src/http/limit-connections.ts'
import { useApi } from '../support/api.ts'

const started = useApi()

/** Opens a connection from an address of this machine and sends nothing on it. */
async function open(localAddress: string): Promise<Socket> {
  const socket = connect({ port: started().port, host: '127.0.0.1', localAddress })
  // The server resets a new connection from an IP address that already has too many connections.
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

test('a client address with a thousand idle connections cannot open another one, and clients at other addresses are still served', async () => {
  const silent = await Promise.all(Array.from({ length: connectionsPerAddress }, () => open('127.0.0.2')))
  const excess = await open('127.0.0.2')
  if (!excess.closed) await once(excess, 'close')
  expect(silent.filter(({ closed }) => closed)).toEqual([])
  expect((await fetch(`${started().url}/api/v1/openapi.json`)).status).toBe(200)
})
