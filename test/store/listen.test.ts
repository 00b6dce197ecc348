import { connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { ShipmentId } from '../../registry/values/vocabulary.ts'
import { newId } from '../../src/base/ids.ts'
import { silentLog } from '../../src/base/log.ts'
import { newMerchantId } from '../../src/base/records.ts'
import { openSubscriptions } from '../../src/logistics/tracking/shipment-subscriptions.ts'
import { type Database, openDatabase } from '../../src/store/core/database.ts'
import { listen } from '../../src/store/server/listen.ts'
import { useDatabase } from '../support/database.ts'

/** Tests the database connection for notifications (LISTEN) during failures of the server or of the network. */

const opened = useDatabase()

interface Gate {
  readonly database: Database
  /** The open connections through the proxy to the database server. */
  readonly open: Set<Socket>
  /** Makes the proxy stop forwarding bytes in both directions. The proxy still accepts connections. */
  freeze(): void
  /** Makes the proxy respond to LISTEN with an error. */
  refuseListen(): void
  /** Makes the proxy send an error that responds to no request, and leaves the connection open. */
  sendError(): void
}

/** Opens a proxy in front of the real database server that can simulate failures. */
async function openGate(): Promise<Gate> {
  const target = new URL(opened().connectionString)
  const open = new Set<Socket>()
  let isFrozen = false
  let refusesListen = false
  // When the client closes its side of a connection, a frozen proxy leaves the other side open, as a frozen server
  // does.
  const server = createServer({ allowHalfOpen: true }, (near) => {
    open.add(near)
    const far = connect({ port: Number(target.port), host: target.hostname })
    for (const socket of [near, far]) socket.on('error', () => undefined)
    near.on('end', () => {
      open.delete(near)
      far.end()
      if (!isFrozen) near.end()
    })
    near.on('data', (bytes) => {
      if (isFrozen) return
      if (refusesListen && bytes.includes('listen ')) near.write(Buffer.concat([errorOf('ERROR'), readyForQuery]))
      else far.write(bytes)
    })
    far.on('data', (bytes) => isFrozen || near.write(bytes))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = new URL(opened().connectionString)
  url.port = String(typeof address === 'object' ? address?.port : address)
  // The connection pool has no open connections, so every open connection is one for LISTEN.
  const database = openDatabase({ connectionString: url.href })
  onTestFinished(async () => {
    await database.close()
    for (const socket of open) socket.destroy()
    server.close()
  })
  return {
    database,
    open,
    freeze: () => {
      isFrozen = true
    },
    refuseListen: () => {
      refusesListen = true
    },
    sendError: () => {
      for (const socket of open) socket.write(errorOf('FATAL'))
    },
  }
}

const readyForQuery = Buffer.from('Z\0\0\0\x05I', 'latin1')

/** Returns an ErrorResponse message of the PostgreSQL protocol. */
function errorOf(severity: string): Buffer {
  const fields = Buffer.from(`S${severity}\0C53300\0Mtoo many\0\0`, 'latin1')
  const head = Buffer.from('E\0\0\0\0', 'latin1')
  head.writeUInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

const listener = { channel: 'webhooks_due', notified: () => undefined, broken: () => undefined } as const

test('a database connection on which LISTEN fails is closed', async () => {
  const gate = await openGate()
  gate.refuseListen()
  await expect(listen(gate.database, listener)).rejects.toThrow('too many')
  await expect.poll(() => gate.open.size).toBe(0)
})

test('a LISTEN connection that reports an error is closed, and reported as lost once', async () => {
  const gate = await openGate()
  const lost: (Error | undefined)[] = []
  await listen(gate.database, { ...listener, broken: (error) => lost.push(error) })
  expect(gate.open.size).toBe(1)
  gate.sendError()
  await expect.poll(() => gate.open.size).toBe(0)
  expect(lost).toEqual([expect.objectContaining({ message: 'too many' })])
})

test('a LISTEN connection that was never established is not reported as lost', async () => {
  const gate = await openGate()
  gate.refuseListen()
  const lost: unknown[] = []
  await expect(listen(gate.database, { ...listener, broken: (error) => lost.push(error) })).rejects.toThrow()
  await expect.poll(() => gate.open.size).toBe(0)
  expect(lost).toEqual([])
})

test('closing a LISTEN connection ends the connection even if the database server does not respond', async () => {
  const gate = await openGate()
  const listening = await listen(gate.database, listener)
  gate.freeze()
  await listening.close()
  await expect.poll(() => gate.open.size).toBe(0)
})

test('an abort ends the attempt to open a LISTEN connection to a database server that does not respond', async () => {
  const gate = await openGate()
  gate.freeze()
  const stopping = new AbortController()
  const listening = listen(gate.database, { ...listener, signal: stopping.signal })
  const outcome = expect(listening).rejects.toThrow()
  await expect.poll(() => gate.open.size).toBe(1)
  stopping.abort()
  await outcome
  await expect.poll(() => gate.open.size).toBe(0)
})

test('a LISTEN subscription that is closed while it connects leaves no connection', async () => {
  const gate = await openGate()
  gate.freeze()
  const subscriptions = openSubscriptions({ database: gate.database, log: silentLog })
  const key = { merchantId: newMerchantId(0), id: ShipmentId.parse(newId('shp', 0)) }
  const known = { version: 1, positionNumber: 0 }
  const waiting = subscriptions.wait(key, known, { waitMs: 25_000, onDisconnect: () => () => undefined })
  await expect.poll(() => gate.open.size).toBe(1)
  await subscriptions.close()
  await waiting
  await expect.poll(() => gate.open.size).toBe(0)
})
