import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Random } from '../../../src/demo/random.ts'

/** A TCP proxy that forwards bytes, or disturbs them as a broken network does. */
export interface FaultProxy {
  readonly port: number
  /** Applies a fault to all connections, including open ones, until the next call. Undefined ends the current fault. */
  set(fault: NetworkFault | undefined): void
  close(): Promise<void>
}

export type NetworkFault =
  /** Resets every open connection at once, and afterwards every new connection. */
  | { readonly is: 'refuse' }
  /** Resets all connections at this interval, in the middle of any message. */
  | { readonly is: 'reset'; readonly everyMs: number }
  /**
   * Delivers nothing until the fault ends, as when packets are lost. Afterwards, TCP delivers the bytes that it still
   * has.
   */
  | { readonly is: 'black_hole' }
  | { readonly is: 'latency'; readonly ms: number; readonly jitterMs: number }
  | { readonly is: 'bandwidth'; readonly bytesPerSecond: number }
  /** Delivers the first bytes of each chunk one by one. */
  | { readonly is: 'slice' }
  /** Cuts each connection after a random number of response bytes, at most this many. */
  | { readonly is: 'cut'; readonly bytesMax: number }
  /** Cuts a connection after PostgreSQL has committed and before the client reads the response to the COMMIT. */
  | { readonly is: 'lost_commit'; readonly percent: number }

interface Connection {
  readonly near: Socket
  readonly far: Socket
  /**
   * Number of response bytes that the proxy still forwards before it cuts the connection. Undefined if the current
   * fault cuts no connection.
   */
  left: number | undefined
}

interface State {
  readonly random: Random
  readonly connections: Set<Connection>
  fault: NetworkFault | undefined
  /** Resolves when the next fault is applied or the current fault ends. */
  changed: PromiseWithResolvers<void>
}

export async function openFaultProxy(targetPort: number, random: Random): Promise<FaultProxy> {
  let resetting: NodeJS.Timeout | undefined
  const state: State = { random, connections: new Set(), fault: undefined, changed: Promise.withResolvers() }
  // A client may close its side of a connection for writing and still wait for the response. The proxy therefore leaves
  // the other direction of the connection open.
  const server = createServer({ allowHalfOpen: true }, (near) => accept(state, near, targetPort))
  const port = await listen(server)
  const set = (fault: NetworkFault | undefined) => {
    clearInterval(resetting)
    state.fault = fault
    for (const connection of state.connections) connection.left = cutAfter(state)
    if (fault?.is === 'refuse') resetAll(state)
    if (fault?.is === 'reset') resetting = setInterval(() => resetAll(state), fault.everyMs)
    state.changed.resolve()
    state.changed = Promise.withResolvers()
  }
  return {
    port,
    set,
    close: async () => {
      set(undefined)
      resetAll(state)
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.')
  return address.port
}

function accept(state: State, near: Socket, port: number): void {
  near.on('error', () => undefined)
  if (state.fault?.is === 'refuse') return void near.resetAndDestroy()
  const far = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const connection: Connection = { near, far, left: cutAfter(state) }
  state.connections.add(connection)
  for (const socket of [near, far]) {
    socket.setNoDelay(true)
    socket.on('error', () => undefined)
    // After one side has closed, pass() may still deliver bytes to the other side. The connection is therefore deleted
    // only after both sides have closed.
    socket.on('close', () => near.closed && far.closed && state.connections.delete(connection))
  }
  void pass(state, connection, 'request')
  void pass(state, connection, 'response')
}

type Direction = 'request' | 'response'

/** Forwards the bytes of one direction of a connection until one of its sides ends or breaks. */
async function pass(state: State, connection: Connection, direction: Direction): Promise<void> {
  const { near, far } = connection
  const [from, to] = direction === 'request' ? [near, far] : [far, near]
  try {
    // The end of one direction must not destroy the socket, because the proxy still writes the bytes of the other
    // direction to it.
    for await (const chunk of from.iterator({ destroyOnReturn: false })) {
      if (!(await deliver(state, { connection, direction, to, chunk }))) return reset(connection)
    }
    to.end()
  } catch {
    // If one side of the connection breaks, the proxy resets both sides.
    reset(connection)
  }
}

interface Delivery {
  readonly connection: Connection
  readonly direction: Direction
  readonly to: Socket
  readonly chunk: Buffer
}

/** Number of bytes at the start of a chunk that are delivered one by one: enough to split every protocol header. */
const slicedBytes = 64

/** Returns false when the current fault breaks the connection. */
async function deliver(state: State, { connection, direction, to, chunk }: Delivery): Promise<boolean> {
  while (state.fault?.is === 'black_hole') await state.changed.promise
  const { fault, random } = state
  if (fault?.is === 'latency') await wait(Math.max(0, fault.ms + random.between(-fault.jitterMs, fault.jitterMs)))
  if (fault?.is === 'bandwidth') await wait((chunk.length / fault.bytesPerSecond) * 1000)
  if (fault?.is === 'slice') {
    for (const byte of chunk.subarray(0, slicedBytes)) {
      to.write(Buffer.of(byte))
      await new Promise(setImmediate)
    }
    return write(to, chunk.subarray(slicedBytes))
  }
  if (direction === 'request') return write(to, chunk)
  if (fault?.is === 'lost_commit' && chunk.includes(commitTag) && random.chance(fault.percent)) return false
  if (connection.left === undefined) return write(to, chunk)
  const passed = chunk.subarray(0, connection.left)
  connection.left -= passed.length
  await write(to, passed)
  return connection.left > 0
}

/** PostgreSQL's response to a successful COMMIT. */
const commitTag = 'COMMIT\0'

async function write(to: Socket, bytes: Buffer): Promise<boolean> {
  if (to.destroyed) return false
  if (!to.write(bytes)) await Promise.race([once(to, 'drain'), once(to, 'close')])
  return true
}

function cutAfter({ fault, random }: State): number | undefined {
  return fault?.is === 'cut' ? random.between(0, fault.bytesMax) : undefined
}

function resetAll({ connections }: State): void {
  for (const connection of connections) reset(connection)
}

function reset({ near, far }: Connection): void {
  for (const socket of [near, far]) {
    // libuv cannot reset a socket that is already shut down for writing. At exit, Node.js would wait forever for such a
    // socket to end.
    if (socket.writableEnded) socket.destroy()
    else socket.resetAndDestroy()
  }
}
