import { spawn } from 'node:child_process'
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder on a file system in memory (/dev/shm) that Linux has by default. */
const memoryFolder = '/dev/shm'

/**
 * Minimum free space of /dev/shm, the folder in memory. It is several times the 0.6 GB that the tests use there at
 * once. In containers, the folder often has only 64 MB.
 */
const freeMin = 4 * 2 ** 30

/**
 * Minimum memory of the machine: enough for the files in this folder, for five test files at a time and for browsers.
 */
const memoryMin = 12 * 2 ** 30

/**
 * The script of a process that cleans up after a killed test run. It reads a pipe that the kernel closes when the run
 * ends for any reason. It then waits, because the servers of the run need their files until they have stopped, which
 * takes seconds.
 */
const clean = 'cat > /dev/null; sleep 10; rm -rf "$1"'

/**
 * Sets TMPDIR for the whole test run to a new folder in memory, if there is enough memory. Each test file copies a
 * database of 700 files, which takes 20 ms in memory and up to 600 ms on a disk. A TMPDIR that the caller has set stays
 * unchanged.
 */
export function setup(): (() => void) | undefined {
  if (process.env.TMPDIR !== undefined || !isMemoryUsable()) return undefined
  const folder = mkdtempSync(join(memoryFolder, 'commerce-tests-'))
  // If the tests run as root, PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  // The cleanup process has its own process group, because Ctrl-C ends every process of the terminal’s group.
  const cleaner = spawn('sh', ['-c', clean, 'sh', folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  return () => {
    rmSync(folder, { recursive: true })
    cleaner.kill()
  }
}

/**
 * Reports whether the folder in memory is large enough and allows programs to run. Containers often forbid programs
 * there, but the tests unpack browsers into this folder.
 */
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
