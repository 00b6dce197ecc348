import { setTimeout as wait } from 'node:timers/promises'

/**
 * `node scripts/deploy/until-ready.ts URL [PID]`: waits until the service process at the URL is ready. Exits with 1
 * when the process with the id has ended, so that systemd starts it again at once. systemd ends the wait after
 * TimeoutStartSec.
 */

/**
 * Poll interval. The service updates its readiness every few seconds, so a shorter interval would not detect the
 * readiness earlier.
 */
const pollMs = 500

/** Timeout of a readiness request, which the service answers without a database query. */
const answerMs = 2_000

const [url = '', pid] = process.argv.slice(2)
if (!URL.canParse(url)) {
  console.error('Pass the URL of /readyz, such as http://127.0.0.1:13000/readyz.')
  process.exit(2)
}

while (!(await isReady())) {
  if (pid !== undefined && !isRunning(Number(pid))) process.exit(1)
  await wait(pollMs)
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch {
    return false
  }
}

async function isReady(): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(answerMs) })
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    return false
  }
}
