import { chmod, chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseLocation } from '../../../src/store/embedded/location.ts'

/** Creates a temporary folder that belongs to the user who runs PostgreSQL, which is not root. */
export async function makeFolder(name: string): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), `commerce-${name}-`))
  await chmod(path, 0o711)
  const { account } = await chooseLocation(path, () => undefined)
  if (account !== undefined) await chown(path, account.uid, account.gid)
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
