import { accessSync, constants } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTemporaryPostgres } from '../temporary-postgres.ts'
import { checkContainer } from './check-container.ts'
import { buildContainer } from './container.ts'
import { stagesOf } from './containerfile.ts'
import { step } from './step.ts'
import { checkUnits } from './units.ts'

/**
 * `npm run deploy-check`: runs the steps of the Containerfile without a container engine. Installs the production
 * packages in an empty folder, then migrates a temporary PostgreSQL database as its owner, and runs an API process and
 * a worker as a user without privileges on a read-only file system. Exits with 1 if a step fails.
 */

/** Programs of util-linux and coreutils that the check needs, which Debian always installs. */
const programs = ['unshare', 'mount', 'chroot', 'setpriv', 'env']

const missing = programs.filter((name) => !isInstalled(name))
if (process.platform !== 'linux' || process.getuid?.() !== 0)
  exit('Run this check on Linux as root: it mounts folders.')
if (missing.length > 0) exit(`Missing: ${missing.join(', ')}. Install the Debian packages util-linux and coreutils.`)
if (isInstalled('systemd-analyze')) await step('systemd units', checkUnits)
else
  console.log('--  The systemd units are not checked: systemd-analyze is missing. Install the Debian package systemd.')
await run()

function exit(line: string): never {
  console.error(line)
  process.exit(2)
}

function isInstalled(name: string): boolean {
  return ['/usr/bin', '/usr/sbin', '/bin', '/sbin'].some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

async function run(): Promise<void> {
  const stages = stagesOf(await readFile('scripts/deploy/Containerfile', 'utf8'))
  const image = stages.at(-1)
  if (image === undefined) throw new Error('The Containerfile has no stage.')
  const folder = await mkdtemp(join(tmpdir(), 'commerce-deploy-'))
  try {
    // The checked processes run as another user, who must be able to enter the folder.
    await chmod(folder, 0o711)
    const container = await step('build', () => buildContainer(stages, folder))
    const postgres = await openTemporaryPostgres({ name: 'deploy', durability: 'throwaway' })
    try {
      await checkContainer(container, image, postgres)
    } finally {
      await postgres.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
