import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { nodeOptions } from '../../../scripts/start-command.ts'
import { useDatabase } from '../../support/database.ts'
import { waitFor } from '../../support/wait-for.ts'

const opened = useDatabase()

test('an idle process frees the memory that was used only during its start', async () => {
  const env = { ...process.env, DATABASE_URL: opened().connectionString, PORT: '0', LOG_LEVEL: 'warn', RUN: 'api' }
  // Option of Node.js with which V8 prints a line for each garbage collection.
  const words = [...nodeOptions, '--trace-gc', 'src/main.ts']
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await closed
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  // V8 prints the reason `testing` for a garbage collection that the process itself has requested.
  const collected = /listening on (http:\S+),.*Mark-Compact[^\n]* testing;/s
  await Promise.race([
    waitFor(() => expect(output).toMatch(collected)),
    closed.then(() => Promise.reject(new Error(`The service ended: ${output}`))),
  ])
  const [, url] = collected.exec(output) ?? []
  expect((await fetch(`${url}/orders`)).status).toBe(401)
})
