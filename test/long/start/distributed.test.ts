import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { useDatabase } from '../../support/database.ts'
import { distributeToOneNode } from '../../support/distribution.ts'

const run = promisify(execFile)
const opened = useDatabase()

test('the service does not start with a distributed database and DATABASE_READ_URL, and the error names that variable', async () => {
  await distributeToOneNode(opened())
  const { connectionString } = opened()
  const settings = {
    NODE_ENV: 'development',
    PORT: '0',
    LOG_LEVEL: 'error',
    ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    DATABASE_URL: connectionString,
    DATABASE_READ_URL: connectionString,
  }
  const started = run(process.execPath, ['src/main.ts'], { env: { ...process.env, ...settings } })
  await expect(started).rejects.toMatchObject({
    code: 1,
    stderr: 'The database is distributed, so standbys cannot serve its reads. Unset DATABASE_READ_URL.\n',
  })
})
