import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs, promisify } from 'node:util'
import { type Audit, auditOf } from './audit.ts'
import { faultsOfLockFile, readDecisions } from './lock-file.ts'

/**
 * `npm run supply-chain`: checks the lock file, writes a bill of materials (SBOM) of the production packages in
 * CycloneDX with
 * `-- --out FILE`, and searches the advisory database. Exits with 1 for a fault or an advisory. Exits with 2 if the
 * database cannot be reached, because it is then unknown whether a package has an advisory.
 */

const { values } = parseArgs({ options: { out: { type: 'string' } } })

/** Maximum size of npm’s output. An SBOM of 200 packages has 200 kB, and an audit report is smaller. */
const outputMaxBytes = 32 * 1024 * 1024

/** Time limit of the audit, because npm retries an unreachable registry for several minutes. */
const auditMs = 60_000

const faults = await checkLockFile()
await describeComponents()
const audit = await auditPackages()
process.exitCode =
  faults > 0 || (audit.is === 'audited' && audit.advisories > 0) ? 1 : audit.is === 'unreachable' ? 2 : 0

async function checkLockFile(): Promise<number> {
  const found = faultsOfLockFile(await readFile('package-lock.json', 'utf8'), await readDecisions())
  for (const fault of found) console.error(fault)
  console.log(`lock file: ${found.length} fault(s)`)
  return found.length
}

async function describeComponents(): Promise<void> {
  const { stdout } = await npm(['sbom', '--omit', 'dev', '--package-lock-only', '--sbom-format', 'cyclonedx'])
  const components: unknown = Reflect.get(Object(JSON.parse(stdout)), 'components')
  console.log(`bill of materials: ${Array.isArray(components) ? components.length : 0} production packages`)
  if (values.out !== undefined) await writeFile(values.out, stdout)
}

async function auditPackages(): Promise<Audit> {
  // npm exits with 1 both for advisories and for errors. Its report shows which of the two occurred.
  const { stdout } = await npm(['audit', '--omit', 'dev', '--json']).catch((error) => ({ stdout: outputOf(error) }))
  const found = auditOf(stdout)
  switch (found.is) {
    case 'audited':
      console.log(`advisories: ${found.advisories}`)
      break
    case 'unreachable':
      console.log(`advisories: unknown, because the advisory database cannot be reached (${found.reason})`)
  }
  return found
}

function npm(words: readonly string[]): Promise<{ stdout: string }> {
  return promisify(execFile)('npm', [...words], { maxBuffer: outputMaxBytes, timeout: auditMs })
}

function outputOf(error: unknown): string {
  return String(Reflect.get(Object(error), 'stdout') ?? '')
}
