// Copies files and computes the checksums of the copied bytes in the same pass, so that each file is read only once.

import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { unlessMissing } from './error.ts'
import type { Account } from './location.ts'

export interface FileChecksum {
  readonly bytes: number
  readonly sha256: string
}

/** Bytes per read: large enough that the system calls cost little, and small compared to the memory of a process. */
const chunkBytes = 1024 * 1024

/** Number of files that are copied at a time. Most are small, so a copy mostly waits for the disk. */
const concurrency = 8

/** Returns the checksum of the file; undefined if the file does not exist. */
export async function copyHashed(
  source: string,
  destination: string,
  owner?: Account,
): Promise<FileChecksum | undefined> {
  const from = await unlessMissing(open(source, 'r'))
  if (from === undefined) return undefined
  try {
    const to = await open(destination, 'wx', 0o600)
    try {
      if (owner !== undefined) await to.chown(owner.uid, owner.gid)
      return await copyContents(from, to)
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
  }
}

async function copyContents(from: FileHandle, to: FileHandle): Promise<FileChecksum> {
  const hash = createHash('sha256')
  const chunk = Buffer.allocUnsafe(chunkBytes)
  for (let bytes = 0; ; ) {
    const { bytesRead } = await from.read(chunk, 0, chunkBytes)
    if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') }
    const part = chunk.subarray(0, bytesRead)
    hash.update(part)
    await to.writeFile(part)
    bytes += bytesRead
  }
}

/**
 * Waits until files are on disk. Call it once for all files: the first sync makes the file system write most of the
 * data of all files, so the other syncs are fast.
 */
export async function syncFiles(paths: readonly string[]): Promise<void> {
  await forEach(paths, async (path) => {
    const file = await open(path, 'r')
    await file.sync().finally(() => file.close())
  })
}

/** Runs `work` for every item, for several items at a time. Starts no further work after an error. */
export async function forEach<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const iterator = items.values()
  let isFailed = false
  const run = async () => {
    for (const item of iterator) {
      if (isFailed) return
      await work(item).catch((error) => {
        isFailed = true
        throw error
      })
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: concurrency }, run))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}
