import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { useDatabase } from '../support/database.ts'

const opened = useDatabase()

test('the migration of job names deletes queued jobs with the old names and no other jobs', async () => {
  const { pool } = opened().database
  const names = ['look_at_shipments', 'turn_partitions', 'check_shipments']
  for (const name of names) await pool.query('select graphile_worker.add_job($1, job_key => $1)', [name])
  await pool.query(await readFile('src/store/migrations/0090_job_names.sql', 'utf8'))
  const { rows } = await pool.query('select task_identifier as name from graphile_worker.jobs')
  expect(rows).toEqual([{ name: 'check_shipments' }])
})
