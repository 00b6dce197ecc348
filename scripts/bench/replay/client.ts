import type { Socket } from 'node:net'
import pg from 'pg'
import { requestSettings, sessionOptions } from '../../../src/store/core/connection-settings.ts'
import { serveParent } from '../delivery/child.ts'
import { bodyOffset, openMessageReader, textAt } from './message-reader.ts'
import { type Template, templateOf, withNewValues } from './new-values.ts'

/**
 * Measures the minimum cost of the SQL of an order: this client sends the recorded messages of the service with new
 * values, and reads from the responses only whether the transaction committed.
 */
export interface ReplayRequest {
  readonly script?: Script
  /** Duration in seconds during which the client sends orders. */
  readonly seconds?: number
}

/** The recorded messages that the client sends, in base64. */
export interface Script {
  /** Parse messages. */
  readonly statements: readonly string[]
  /**
   * The pipelines of messages of one recorded order. The client sends each pipeline after the response to the previous
   * one.
   */
  readonly pipelines: readonly string[]
  /**
   * The pipelines of messages of another recorded order with the same variants. By comparing both orders, the client
   * finds the values that must be unique.
   */
  readonly other: readonly string[]
  readonly orderedIds: readonly string[]
  /** The ids of all product variants that the client orders. */
  readonly variantIds: readonly string[]
  readonly connections: number
}

export interface ReplayReply {
  /** The number of orders that the client committed. */
  readonly orders: number
}

interface Connection {
  /**
   * Sends messages, the last of which is a Sync. Resolves with the command of the last statement. Rejects on any error
   * response.
   */
  exchange(bytes: Buffer): Promise<string>
}

const connectionString = process.argv[2] ?? ''
let connections: readonly Connection[] = []
let templates: readonly Template[] = []
let variantIds: readonly string[] = []
let counter = 0

serveParent(async ({ script, seconds = 0 }: ReplayRequest): Promise<ReplayReply> => {
  if (script !== undefined) await prepare(script)
  const endMs = performance.now() + seconds * 1000
  const orders = await Promise.all(connections.map((connection) => orderUntil(connection, endMs)))
  return { orders: orders.reduce((sum, count) => sum + count, 0) }
})

async function prepare(script: Script): Promise<void> {
  const other = script.other.map((text) => bufferOf(text).toString('latin1')).join('')
  templates = script.pipelines.map((text) =>
    templateOf({ bytes: bufferOf(text), other, variantIds: script.orderedIds }),
  )
  variantIds = script.variantIds
  connections = await Promise.all(Array.from({ length: script.connections }, openConnection))
  const parse = Buffer.concat([...script.statements.map(bufferOf), syncMessage])
  await Promise.all(connections.map((connection) => connection.exchange(parse)))
}

function bufferOf(base64: string): Buffer {
  return Buffer.from(base64, 'base64')
}

const syncMessage = Buffer.from([0x53, 0, 0, 0, 4])

async function orderUntil(connection: Connection, endMs: number): Promise<number> {
  let orders = 0
  while (performance.now() < endMs) {
    await order(connection)
    orders += 1
  }
  return orders
}

async function order(connection: Connection): Promise<void> {
  const values = { counter: counter++, variantIds: nextVariants() }
  let command = ''
  for (const template of templates) command = await connection.exchange(withNewValues(template, values))
  if (command !== 'COMMIT') throw new Error(`The last command was ${command} instead of COMMIT.`)
}

/**
 * Returns the next variants to order, in ascending order of their ids. The service locks variants in the same order, so
 * no two orders deadlock.
 */
function nextVariants(): string[] {
  const start = Math.floor(Math.random() * variantIds.length)
  return [0, 1, 2].map((item) => variantIds[(start + item) % variantIds.length] ?? '').toSorted()
}

/**
 * Logs in with node-postgres, then removes the socket listener of node-postgres, so that only this client reads the
 * messages.
 */
async function openConnection(): Promise<Connection> {
  const client = new pg.Client({ connectionString, options: sessionOptions(requestSettings) })
  await client.connect()
  const socket = socketOf(client)
  socket.removeAllListeners('data')
  const read = openMessageReader()
  let command = ''
  let waiting = Promise.withResolvers<string>()
  socket.on('data', (chunk: Buffer) => {
    for (const message of read(chunk)) {
      if (message.type === 'C') command = textAt(message, bodyOffset)
      else if (message.type === 'E') waiting.reject(new Error(message.bytes.toString('utf8', bodyOffset)))
      else if (message.type === 'Z') waiting.resolve(command)
    }
  })
  return {
    exchange: (bytes) => {
      waiting = Promise.withResolvers()
      socket.write(bytes)
      return waiting.promise
    },
  }
}

/** The published types of node-postgres lack the connection property of a client. */
function socketOf(client: pg.Client): Socket {
  const { connection } = client as unknown as { readonly connection: { readonly stream: Socket } }
  return connection.stream
}
