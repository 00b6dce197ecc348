import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/store/core/database.ts'
import { prepareSchema } from '../../src/store/server/migrate.ts'
import { grantService, ownsAuditLog } from '../../src/store/server/service-role.ts'
import { useDatabase } from '../support/database.ts'

const opened = useDatabase()

async function query(connectionString: string, text: string) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}

/** Creates a login role without any privilege, for one test. */
async function openRole() {
  const { superuserConnectionString, ownerConnectionString } = opened()
  const name = `role_${randomUUID().replaceAll('-', '')}`
  const superuser = (text: string) => query(superuserConnectionString, text)
  await superuser(`create role ${name} login password 'secret'`)
  onTestFinished(async () => {
    await superuser(`drop owned by ${name} cascade`)
    await superuser(`drop role ${name}`)
  })
  const url = new URL(ownerConnectionString)
  url.username = name
  url.password = 'secret'
  return { name, superuser, roles: { connectionString: url.href, ownerConnectionString } }
}

test('if the database role of the service has no privileges, the start fails with an error that names the command that grants them', async () => {
  const { roles } = await openRole()
  await expect(prepareSchema({ migratesAtStart: false }, roles)).rejects.toThrow(
    'The role of DATABASE_URL has no privileges. To grant the privileges, run `npm run -s commerce -- migrate` with DATABASE_OWNER_URL.',
  )
})

test('the migration at the process start grants the privileges of the service’s database role', async () => {
  const { roles } = await openRole()
  await Promise.all([1, 2, 3].map(() => prepareSchema({ migratesAtStart: true }, roles)))
  await prepareSchema({ migratesAtStart: false }, roles)
  const { connectionString } = roles
  await query(connectionString, "select graphile_worker.add_job('seal_audit')")
  expect((await query(connectionString, 'select from graphile_worker.jobs')).rowCount).toBeGreaterThan(0)
  await expect(query(connectionString, 'delete from audit_log')).rejects.toThrow('permission denied')
})

test('a repeated grant of the service’s privileges revokes all other privileges of its database role on append-only tables and their timestamp columns', async () => {
  const { name, superuser, roles } = await openRole()
  await grantService(roles)
  await superuser(`grant all on audit_log to ${name}`)
  await grantService(roles)
  const { rows } = await superuser(
    `select
       has_table_privilege('${name}', 'audit_log', 'update') as updates,
       has_column_privilege('${name}', 'audit_log', 'recorded_at', 'insert') as stamps,
       has_column_privilege('${name}', 'audit_log', 'action', 'insert') as inserts`,
  )
  expect(rows).toEqual([{ updates: false, stamps: false, inserts: true }])
})

test('the grant of privileges includes columns that later migrations add', async () => {
  const { name, superuser, roles } = await openRole()
  await grantService(roles)
  await superuser('alter table audit_log add column note text')
  onTestFinished(async () => void (await superuser('alter table audit_log drop column note')))
  await grantService(roles)
  const { rows } = await superuser(`select has_column_privilege('${name}', 'audit_log', 'note', 'insert') as inserts`)
  expect(rows).toEqual([{ inserts: true }])
})

test('a repeated grant of the service’s privileges does not wait for an open transaction on the job tables', async () => {
  const { name, superuser, roles } = await openRole()
  await grantService(roles)
  await superuser(`grant update on audit_log to ${name}`)
  const reader = new pg.Client({ connectionString: roles.connectionString })
  await reader.connect()
  onTestFinished(() => reader.end())
  await reader.query('begin; select from graphile_worker._private_jobs')
  await grantService(roles)
  const { rows } = await superuser(`select has_table_privilege('${name}', 'audit_log', 'update') as updates`)
  expect(rows).toEqual([{ updates: false }])
})

test('the owner of the tables and a superuser can change the audit log, and the service’s role cannot', async () => {
  const { connectionString, ownerConnectionString, superuserConnectionString } = opened()
  for (const [address, isOwner] of [
    [connectionString, false],
    [ownerConnectionString, true],
    [superuserConnectionString, true],
  ] as const) {
    const database = openDatabase({ connectionString: address, maxConnections: 1 })
    try {
      expect(await ownsAuditLog(database)).toBe(isOwner)
    } finally {
      await database.close()
    }
  }
})
