// Replaces the cluster by a restored one, which takes two renames. A file beside the cluster records the renames first:
// if the process is killed in between, the next start completes the replacement instead of creating an empty cluster.

import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unlessMissing } from './error.ts'

/** Both folders are beside the cluster. */
interface Replacement {
  readonly restored: string
  /** The name to which the folder of the replaced cluster is renamed. */
  readonly replaced: string
}

/** The caller must hold the lock file, and the replaced cluster must not be running. */
export async function replaceCluster(dataDirectory: string, cluster: string, replacement: Replacement): Promise<void> {
  const path = pathIn(dataDirectory)
  await writeFile(`${path}.partial`, JSON.stringify(replacement), { mode: 0o600, flush: true })
  await rename(`${path}.partial`, path)
  await finishReplacement(dataDirectory, cluster)
}

/**
 * Completes the replacement of the cluster by a restored copy, if an earlier process started the replacement and did
 * not complete it. The caller must hold the lock file.
 */
export async function finishReplacement(dataDirectory: string, cluster: string): Promise<void> {
  const path = pathIn(dataDirectory)
  const text = await unlessMissing(readFile(path, 'utf8'))
  if (text === undefined) return
  const { restored, replaced } = replacementOf(JSON.parse(text))
  if (await exists(restored)) {
    if (await exists(cluster)) await rename(cluster, replaced)
    await rename(restored, cluster)
  }
  await rm(path, { force: true })
}

function pathIn(dataDirectory: string): string {
  return join(dataDirectory, 'postgres.replacement.json')
}

export async function exists(path: string): Promise<boolean> {
  return (await unlessMissing(stat(path))) !== undefined
}

function replacementOf(value: unknown): Replacement {
  const { restored, replaced } = { restored: undefined, replaced: undefined, ...Object(value) }
  if (typeof restored === 'string' && typeof replaced === 'string') return { restored, replaced }
  throw new Error('postgres.replacement.json names no folders.')
}
