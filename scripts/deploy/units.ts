import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The installation folder of the release in the systemd units. */
const installed = '/opt/commerce-service'

/**
 * Maximum exposure level, in tenths, that systemd may compute for a unit. systemd calls units with a level below 2 well
 * protected.
 */
const exposureMax = '20'

const units = 'scripts/deploy/systemd'

/** Verifies the systemd units and their hardening with systemd’s own tool. Rejects with its output if it finds a fault. */
export async function checkUnits(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-units-'))
  try {
    const names = await readdir(units)
    for (const name of names) {
      const text = await readFile(join(units, name), 'utf8')
      // systemd's tool checks that the programs of a unit exist, so the installation folder in the unit is replaced by
      // this repository.
      await writeFile(join(folder, name), text.replaceAll(installed, process.cwd()))
    }
    const paths = names.map((name) => join(folder, name))
    const { stdout, stderr } = await promisify(execFile)('systemd-analyze', ['verify', '--man=no', ...paths])
    if (stdout + stderr !== '') throw new Error(stdout + stderr)
    for (const path of paths)
      await promisify(execFile)('systemd-analyze', ['security', '--offline=true', `--threshold=${exposureMax}`, path])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
