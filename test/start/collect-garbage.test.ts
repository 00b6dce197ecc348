import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { useDatabase } from '../support/database.ts'
import { waitFor } from '../support/wait-for.ts'

const opened = useDatabase()

test('an idle process collects the garbage of its start', async () => {
  const env = { ...process.env, DATABASE_URL: opened().connectionString, PORT: '0', LOG_LEVEL: 'warn', RUN: 'api' }
  // Prints the reason of each collection.
  const child = spawn(process.execPath, ['--trace-gc', 'src/main.ts'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await once(child, 'close')
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  // V8 gives this reason only for a collection that the process requests.
  await waitFor(() => expect(output).toMatch(/is listening.*Mark-Compact[^\n]* low memory notification/s))
})
