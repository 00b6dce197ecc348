import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type EmbeddedOptions, type EmbeddedPostgres, openEmbedded } from '../src/store/embedded/embedded.ts'

export interface TemporaryOptions extends Pick<EmbeddedOptions, 'durability'> {
  /** Part of the name of the server's data folder: `commerce-<name>-…`. */
  readonly name: string
  /** Parent folder of the server's data folder. Defaults to the system's temporary folder. */
  readonly parent?: string
}

export interface TemporaryPostgres extends EmbeddedPostgres {
  /** The server's data folder, for tests that cause faults of the server. */
  readonly dataDirectory: string
}

/**
 * The script of a process that cleans up after a PostgreSQL server. It reads a pipe that the kernel closes when the
 * owner process ends for any reason. It then stops the server and deletes its data. If the server does not stop within
 * a minute, its files remain. The script resolves links, because the data folder may be a symbolic link when the owner
 * process runs as root.
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

/** Starts a PostgreSQL server in a new folder. The server and its data are removed by `stop()` or when this process ends. */
export async function openTemporaryPostgres({
  name,
  parent = tmpdir(),
  ...options
}: TemporaryOptions): Promise<TemporaryPostgres> {
  await mkdir(parent, { recursive: true })
  const folder = resolve(await mkdtemp(join(parent, `commerce-${name}-`)))
  // The cleanup process has its own process group, because Ctrl-C ends every process in the terminal's group.
  const cleaner = spawn('sh', ['-c', clean, 'sh', folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  const cleaned = once(cleaner, 'exit')
  const cleanUp = async () => {
    cleaner.stdin.end()
    await cleaned
  }
  try {
    // When this process runs as root, PostgreSQL runs as another user, who needs access to the data folder.
    await chmod(folder, 0o711)
    const postgres = await openEmbedded({ dataDirectory: folder, ...options })
    const stop = async () => {
      await postgres.stop()
      await cleanUp()
    }
    return { ...postgres, dataDirectory: folder, stop }
  } catch (error) {
    await cleanUp()
    throw error
  }
}
