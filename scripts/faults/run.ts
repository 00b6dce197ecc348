import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../src/store/database.ts'
import { openEmbedded } from '../../src/store/embedded.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openReceivers } from './receivers.ts'
import { runRounds } from './rounds.ts'

const folder = await mkdtemp(join(tmpdir(), 'commerce-faults-'))
await chmod(folder, 0o711)
const postgres = await openEmbedded({ dataDirectory: folder, durability: 'throwaway' })
try {
  await migrate(postgres.connectionString)
  const database = openDatabase({ connectionString: postgres.connectionString })
  const receivers = await openReceivers()
  const seed = process.argv[2] ?? String(Date.now())
  const count = Number(process.argv[3] ?? 20)
  const first = Number(process.argv[4] ?? 0)
  try {
    const t = performance.now()
    const reports = await runRounds(
      { database, connectionString: postgres.connectionString, receivers, seed },
      Array.from({ length: count }, (_, i) => first + i),
    )
    console.table(reports.map((r) => ({ ...r, recoveriesMs: r.recoveriesMs.join() })))
    console.log(seed, performance.now() - t)
  } finally {
    receivers.close()
    await database.close()
  }
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
