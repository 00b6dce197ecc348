import pg from 'pg'
import { expect, test } from 'vitest'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { systemClock } from '../../src/base/clock.ts'
import { useDatabase } from '../support/database.ts'
import { operator } from '../support/shop.ts'

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

const changes = [
  "update audit_log set action = 'nothing.happened'",
  'delete from audit_log',
  'truncate audit_log',
  'truncate audit_log, refunds, refund_items cascade',
]

/** SQL statements that would allow a later statement to change audit rows. */
const circumventions = [
  'alter table audit_log disable trigger all',
  'alter table audit_log disable trigger audit_log_rows_never_change',
  'alter table audit_log add column note text',
  'alter table audit_log owner to current_user',
  'drop table audit_log',
  'drop trigger audit_log_rows_never_change on audit_log',
  'create rule hide as on insert to audit_log do instead nothing',
  'create trigger later before insert on audit_log for each row execute function refuse_change()',
  'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return null; end $$',
  'drop function refuse_change cascade',
  "grant update on audit_log to current_user; update audit_log set action = 'nothing.happened'",
  'set role commerce',
  'set session_replication_role = replica',
  'create table public.audit_log_copy ()',
  'drop schema public cascade',
  "insert into audit_log (merchant_id, id, recorded_xid) values ('mer_1', 'aud_1', 1)",
  'update audit_chain set number = 0',
  "update audit_resources set resource_id = 'ord_1'",
  'delete from audit_heads',
]

async function writeAuditRow() {
  const { database } = opened()
  await createMerchant({ database, clock: systemClock, nudge: () => undefined }, operator, 'Adire Lagos')
}

test.each(changes)('the database role of the service cannot execute: %s', async (change) => {
  await writeAuditRow()
  await expect(query(opened().connectionString, change)).rejects.toThrow(/permission denied for table audit_log/)
})

test.each(
  circumventions,
)('the database role of the service cannot circumvent the protection of the audit log: %s', async (statement) => {
  await expect(query(opened().connectionString, statement)).rejects.toThrow(/permission denied|must be owner/)
})

test('the database role of the service owns no table, sequence, function or schema', async () => {
  const { rows } = await query(
    opened().connectionString,
    `select relname as name from pg_class where relowner = current_user::regrole
     union all select proname from pg_proc where proowner = current_user::regrole
     union all select nspname from pg_namespace where nspowner = current_user::regrole`,
  )
  expect(rows).toEqual([])
})

test.each(changes)('the trigger of the audit log also rejects a statement of a superuser: %s', async (change) => {
  await writeAuditRow()
  await expect(query(opened().superuserConnectionString, change)).rejects.toThrow(/audit_log is append-only/)
})

test('the database role of the service is not a superuser and cannot become one', async () => {
  const { rows } = await query(
    opened().connectionString,
    'select rolsuper, rolcreaterole from pg_roles where rolname = current_user',
  )
  expect(rows).toEqual([{ rolsuper: false, rolcreaterole: false }])
})

const ofMerchants = `
  relation.relnamespace = 'public'::regnamespace
  and exists (select from pg_attribute where attrelid = relation.oid and attname = 'merchant_id')`

// Foreign keys to users need not start with merchant_id: a user can be a member of several merchants, so such a key
// contains no merchant.
test('every primary key, foreign key and unique index of a merchant’s table starts with merchant_id', async () => {
  const { rows } = await query(
    opened().connectionString,
    `select relation.relname as table, index.relname as offender
     from pg_index i
     join pg_class relation on relation.oid = i.indrelid
     join pg_class index on index.oid = i.indexrelid
     left join pg_attribute first on first.attrelid = i.indrelid and first.attnum = i.indkey[0]
     where ${ofMerchants}
       and i.indisunique and first.attname is distinct from 'merchant_id'
     union all
     select relation.relname, c.conname
     from pg_constraint c
     join pg_class relation on relation.oid = c.conrelid
     join pg_attribute first on first.attrelid = c.conrelid and first.attnum = c.conkey[1]
     left join pg_attribute referenced on referenced.attrelid = c.confrelid and referenced.attnum = c.confkey[1]
     where ${ofMerchants} and c.contype = 'f'
       and (
         first.attname <> 'merchant_id' and c.confrelid <> 'users'::regclass
         or referenced.attname is distinct from 'merchant_id'
           and c.confrelid not in ('merchants'::regclass, 'users'::regclass)
       )
     union all
     select relation.relname, 'has no primary key'
     from pg_class relation
     where ${ofMerchants} and relation.relkind in ('r', 'p')
       and not exists (select from pg_constraint c where c.conrelid = relation.oid and c.contype = 'p')`,
  )
  expect(rows).toEqual([])
})

test('no table except merchants has a mode column', async () => {
  const { rows } = await query(
    opened().connectionString,
    "select table_name from information_schema.columns where table_schema = 'public' and column_name = 'mode'",
  )
  expect(rows).toEqual([{ table_name: 'merchants' }])
})

test('every function that runs as the owner of the tables has a fixed search path, which ends with the schema of temporary tables', async () => {
  const functions = `
    select proname, proconfig
    from pg_proc
    join pg_namespace on pg_namespace.oid = pronamespace
    where prosecdef and nspname = 'public'
    order by proname`
  const { rows } = await query(opened().connectionString, functions)
  expect(rows.map(({ proname }) => proname)).toEqual(expect.arrayContaining(['issue_receipt', 'queue_audit']))
  expect(rows.filter(({ proconfig }) => String(proconfig) !== 'search_path=public, pg_temp')).toEqual([])
})
