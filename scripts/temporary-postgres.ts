import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type EmbeddedOptions, type EmbeddedPostgres, openEmbedded } from '../src/store/embedded/embedded.ts'

export interface TemporaryOptions extends Pick<EmbeddedOptions, 'durability'> {
  /** Names the folder: `commerce-<name>-…`. */
  readonly name: string
  /** Where the folder is made; the system's folder for temporary files unless told otherwise. */
  readonly parent?: string
}

/**
 * The cleaner. It reads a pipe that the system closes when the owner ends, whatever ends it, and then stops the server and
 * deletes its data. Under root the cluster may lie behind a link. A server that does not stop within a minute keeps its files.
 */
const clean = `
  cat > /dev/null
  cluster=$(readlink -f "$1/postgres")
  pid=$(head -n 1 "$cluster/postmaster.pid" 2> /dev/null) && kill -INT "$pid"
  tries=600
  while [ -e "$cluster/postmaster.pid" ]; do
    tries=$((tries - 1))
    [ $tries -gt 0 ] || exit 1
    sleep 0.1
  done
  rm -rf "$cluster" "$1"`

/** A PostgreSQL in a folder of its own that outlives neither `stop()` nor this process, killed or not. */
export async function openTemporaryPostgres({
  name,
  parent = tmpdir(),
  ...options
}: TemporaryOptions): Promise<EmbeddedPostgres> {
  await mkdir(parent, { recursive: true })
  const folder = resolve(await mkdtemp(join(parent, `commerce-${name}-`)))
  // A group of its own, because Ctrl-C ends every process of the terminal's group.
  const cleaner = spawn('sh', ['-c', clean, 'sh', folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  const cleaned = once(cleaner, 'exit')
  const cleanUp = async () => {
    cleaner.stdin.end()
    await cleaned
  }
  try {
    // Root's PostgreSQL runs as another account, which must reach its data.
    await chmod(folder, 0o711)
    const postgres = await openEmbedded({ dataDirectory: folder, ...options })
    const stop = async () => {
      await postgres.stop()
      await cleanUp()
    }
    return { ...postgres, stop }
  } catch (error) {
    await cleanUp()
    throw error
  }
}
