import { spawn } from 'node:child_process'
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A file system in memory, which Linux has by default. */
const memoryFolder = '/dev/shm'

/** Several times what the tests take there at once, about 0.6 GB. Containers often have 64 MB. */
const freeMin = 4 * 2 ** 30

/** Memory for these files, five test files at a time and browsers. */
const memoryMin = 12 * 2 ** 30

/**
 * The cleanup process, for a run that is killed. It reads a pipe that the kernel closes when the run ends for any reason. The
 * servers of the run stop within seconds, and need their files for that.
 */
const clean = 'cat > /dev/null; sleep 10; rm -rf "$1"'

/**
 * Sets TMPDIR for the whole run to a new folder in memory, where there is room: each test file copies a database of 700 files,
 * which takes 20 ms in memory and up to 600 ms on a disk. A TMPDIR of the caller takes precedence.
 */
export function setup(): (() => void) | undefined {
  if (process.env.TMPDIR !== undefined || !isMemoryUsable()) return undefined
  const folder = mkdtempSync(join(memoryFolder, 'commerce-tests-'))
  // PostgreSQL runs as another user under root.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  // A separate process group, because Ctrl-C ends every process of the terminal’s group.
  const cleaner = spawn('sh', ['-c', clean, 'sh', folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  return () => {
    rmSync(folder, { recursive: true })
    cleaner.kill()
  }
}

/** Reports whether the folder is large enough and may contain programs, which containers often forbid: browsers are unpacked. */
function isMemoryUsable(): boolean {
  if (process.availableMemory() < memoryMin) return false
  try {
    const { bavail, bsize } = statfsSync(memoryFolder)
    return bavail * bsize >= freeMin && isExecutable(memoryFolder)
  } catch {
    return false
  }
}

function isExecutable(parent: string): boolean {
  const folder = mkdtempSync(join(parent, 'commerce-executable-'))
  try {
    const program = join(folder, 'program')
    writeFileSync(program, '', { mode: 0o700 })
    accessSync(program, constants.X_OK)
    return true
  } finally {
    rmSync(folder, { recursive: true })
  }
}
