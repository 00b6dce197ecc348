import { expect, test } from 'vitest'
import { startServiceProcess } from '../../../scripts/faults/service-process.ts'
import { useDatabase } from '../../support/database.ts'

const opened = useDatabase()

/** Throws an error outside of every request when the process gets SIGUSR2. */
const thrower = `process.on('SIGUSR2', () => { throw Object.assign(new Error('A defect.'), { detail: 'Key (email)=(ada@example.com)' }) })`

test('an uncaught error shuts the service down cleanly, and the log contains the error’s stack but not its details with personal data', async () => {
  const service = await startServiceProcess(opened().connectionString, {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(thrower)}`,
  })
  service.kill('SIGUSR2')
  expect(await service.ended).toBe(1)
  expect(service.output()).toContain('Error: A defect.\n    at ')
  expect(service.output()).not.toContain('ada@example.com')
})
