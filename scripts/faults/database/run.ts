import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { killDatabase } from './kills.ts'

/**
 * `npm run database-faults -- --kills=5`: kills the embedded PostgreSQL of a running service under load. The service
 * must recover by itself each time. The script ends with 1 if an acknowledged write is lost, if a refund is duplicated,
 * or if the database server still runs after the service has stopped.
 */
const { values } = parseArgs({ options: { kills: { type: 'string', default: '5' } } })

const folder = await mkdtemp(join(tmpdir(), 'commerce-database-faults-'))
// When the script runs as root, PostgreSQL runs as another user, who needs access to the data folder.
await chmod(folder, 0o711)
try {
  const { recoveriesMs, lost, unexpected, slowestMs, ...report } = await killDatabase(folder, Number(values.kills))
  console.table([{ kills: recoveriesMs.length, ...report, lost: lost.length, slowestMs: Math.round(slowestMs) }])
  console.log(`First acknowledged write after each kill: ${recoveriesMs.join(', ')} ms.`)
  const faults = [...lost.map((id) => `${id} was acknowledged and is lost.`), ...unexpected]
  if (report.surplusRefunds !== 0) faults.push(`${report.surplusRefunds} refunds are surplus.`)
  if (report.exitCode !== 0) faults.push(`The service ended with the exit code or signal ${report.exitCode}.`)
  if (report.isServerLeft) faults.push('The database server is still running after the service has stopped.')
  for (const fault of faults) console.error(fault)
  if (faults.length === 0) console.log('The service recovered from every kill, and no acknowledged write was lost.')
  process.exitCode = faults.length === 0 ? 0 : 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
