import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { addressOf } from '../../support/api.ts'

/** Starts a server whose readiness the test sets, and the script that waits for it. */
async function startWaiting(pid: number) {
  const readiness = { status: 503 }
  const probed = Promise.withResolvers<void>()
  const server = createServer((_, response) => {
    probed.resolve()
    response.writeHead(readiness.status).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${addressOf(server.address()).port}/readyz`
  const script = spawn(process.execPath, ['scripts/deploy/until-ready.ts', url, String(pid)], { stdio: 'ignore' })
  onTestFinished(async () => {
    script.kill('SIGKILL')
    server.closeAllConnections()
    server.close()
  })
  await probed.promise
  return { readiness, ended: once(script, 'exit').then(([code]) => code) }
}

test('the script that waits for a process exits with 0 when the process is ready', async () => {
  const { readiness, ended } = await startWaiting(process.pid)
  readiness.status = 200
  expect(await ended).toBe(0)
})

test('the script that waits for a process exits with 1 when the process ends', async () => {
  const program = spawn('sleep', ['600'], { stdio: 'ignore' })
  const { ended } = await startWaiting(program.pid ?? 0)
  program.kill('SIGKILL')
  expect(await ended).toBe(1)
})
