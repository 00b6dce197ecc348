import { randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { findFault } from '../../scripts/faults/outside-verifiers.ts'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly rawBody: string
}

export type Answer = (received: Received, response: ServerResponse) => void

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  answer: Answer
}

export function status(code: number): Answer {
  return (_, response) => response.writeHead(code).end()
}

/**
 * A merchant's webhook receiver on a real socket. It stores all requests, and a test may change its responses. A
 * request whose signature is not valid for its endpoint fails the test. The URL of the receiver has a random path,
 * because its port may be that of an earlier receiver. A service may still deliver to the earlier receiver, and the
 * secret of that receiver is still accepted.
 */
export async function openReceiver(answer: Answer = status(200)): Promise<Receiver> {
  const receiver: Receiver = { url: '', received: [], answer }
  const faults: string[] = []
  const path = `/hook-${randomUUID()}`
  const server = createServer(async (message, response) => {
    if (!message.url?.includes(path.slice(1))) return void response.writeHead(404).end()
    const received = { path: message.url ?? '', headers: message.headers, rawBody: await readBody(message) }
    receiver.received.push(received)
    const fault = findFault(receiver.url, received)
    if (fault !== undefined) faults.push(fault)
    receiver.answer(received, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
    expect(faults, 'deliveries that do not verify').toEqual([])
  })
  return Object.assign(receiver, { url: `http://127.0.0.1:${portOf(server.address())}${path}` })
}

async function readBody(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}

export function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}
