import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Maximum number of lines of a printed difference. A longer difference is truncated, and the output ends with the
 * command that regenerates the files.
 */
const mostLines = 60

export async function createPatch(path: string, before: string, after: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-diff-'))
  try {
    await writeFile(join(folder, 'present'), before)
    await writeFile(join(folder, 'derived'), after)
    const patch = await new Promise<string>((resolve) => {
      // `git diff` also exits with 1 when the texts differ, so exit code 1 does not mean that it failed.
      const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 }
      execFile('git', ['diff', '--no-index', '--no-color', 'present', 'derived'], options, (_, out) => resolve(out))
    })
    const lines = patch.split('\n').slice(4)
    const shown = lines.slice(0, mostLines).join('\n')
    return `${path}:\n${shown}${lines.length > mostLines ? `\n… ${lines.length - mostLines} more lines` : ''}`
  } finally {
    await rm(folder, { recursive: true })
  }
}
