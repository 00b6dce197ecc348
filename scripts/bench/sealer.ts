import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { sealAudit } from '../../src/audit/seal-audit.ts'
import { randomKey } from '../../src/base/ids.ts'
import { signerOf } from '../../src/base/signer.ts'
import { openDatabase } from '../../src/store/core/database.ts'

/** A separate process that seals the audit log every second, from a request to GET /start until one to GET /stop. */
const everyMs = 1_000

const database = openDatabase({ connectionString: process.argv[2] ?? '', maxConnections: 2 })
const signer = signerOf([randomKey(32)])
let isRunning = false
let running: Promise<void> = Promise.resolve()

async function run(): Promise<void> {
  while (isRunning) {
    await sealAudit({ database, signer })
    await wait(everyMs)
  }
}

const server = createServer(async (incoming, response) => {
  isRunning = incoming.url === '/start'
  if (isRunning) running = run()
  else {
    await running
    // Seals the audit rows of the previous run, in which no rows were sealed, so that the next run does not have to
    // seal them.
    await sealAudit({ database, signer })
  }
  response.end()
})
// Ends this process when its parent process ends, even if a signal ends the parent.
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) process.send?.({ port: address.port })
})
