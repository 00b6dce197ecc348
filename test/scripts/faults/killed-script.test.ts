import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, glob, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

test.for([
  'SIGKILL',
  'SIGTERM',
  'SIGINT',
] as const)('after the signal %s to the script dispatch-faults, the script’s PostgreSQL server stops and its data are deleted', async (signal) => {
  const folder = await mkdtemp(join(tmpdir(), 'killed-script-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o711)
  const script = spawn(process.execPath, ['scripts/faults/dispatch/run.ts', '--rounds=1000000'], {
    env: { ...process.env, TMPDIR: folder },
    stdio: 'ignore',
  })
  onTestFinished(() => void script.kill('SIGKILL'))
  const ended = once(script, 'exit')
  await expect.poll(() => pidIn(folder)).toBeGreaterThan(0)
  const pid = await pidIn(folder)
  script.kill(signal)
  await ended
  await expect.poll(() => isAlive(pid)).toBe(false)
  await expect.poll(() => readdir(folder)).toEqual([])
})

/** Returns the process id of the PostgreSQL server whose data is in the folder; 0 when there is none. */
async function pidIn(folder: string): Promise<number> {
  for await (const path of glob('commerce-faults-*/postgres/postmaster.pid', { cwd: folder })) {
    const pid = Number.parseInt(await readFile(join(folder, path), 'utf8'), 10)
    if (pid > 0) return pid
  }
  return 0
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
