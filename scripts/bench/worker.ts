import { systemClock } from '../../src/clock.ts'
import { openLog } from '../../src/log.ts'
import { openDatabase } from '../../src/store/database.ts'
import { vaultOf } from '../../src/vault.ts'
import { standardRules } from '../../src/webhooks/pace.ts'
import { startWorker } from '../../src/worker/runner.ts'

/** The worker alone, as src/main.ts runs it, with a log that keeps warnings only. */
const [connectionString = ''] = process.argv.slice(2)
const database = openDatabase({ connectionString })

await startWorker({
  database,
  connectionString,
  clock: systemClock,
  nudge: () => undefined,
  log: openLog('warn'),
  policy: { allowsLoopback: true },
  vault: vaultOf([]),
  paystackUrl: 'http://127.0.0.1:1',
  rules: standardRules,
})
process.send?.({ port: 0 })
