import { sql } from 'kysely'
import pg from 'pg'
import { advisoryLocks } from '../core/advisory-locks.ts'
import type { Database } from '../core/database.ts'
import { withClient } from '../core/server-client.ts'
import { build, reading } from '../core/statement.ts'

/**
 * The privileges of the service's role. The role owns no tables: migrations run as the owner, and the service can only
 * do what is granted here. It can therefore neither change or delete rows of append-only tables, nor drop the triggers
 * that protect them.
 */

/**
 * The connection strings of a database: that of the service's role and that of the role that owns the tables. Both are
 * equal if there is only one role.
 */
export interface DatabaseRoles {
  readonly connectionString: string
  readonly ownerConnectionString: string
  /** The address of the server itself, when `connectionString` leads to a pooler in transaction mode. */
  readonly directConnectionString?: string | undefined
}

/**
 * Grants the role of the service its privileges, if the role lacks a privilege or has an additional one. Does nothing
 * if the service connects as the owner. Fails with a lock timeout while another process or a long transaction holds a
 * lock that the grants need. The caller may then retry.
 */
export async function grantService(
  { connectionString, ownerConnectionString }: DatabaseRoles,
  signal?: AbortSignal,
): Promise<void> {
  if (connectionString === ownerConnectionString) return
  const role = await roleOf(connectionString, signal)
  await withClient(ownerConnectionString, signal, async (owner) => {
    await owner.query('begin')
    await owner.query(`set local lock_timeout = ${lockTimeoutMs}`)
    // An advisory lock makes processes grant privileges one after another. Without it, two processes would update the
    // same rows of the catalogue, and one of them would fail.
    await owner.query(`select pg_advisory_xact_lock(${advisoryLocks.grants})`)
    const { rows } = await owner.query<{ isOwner: boolean; isCurrent: boolean }>(stateQuery, [role])
    const [state] = rows
    if (state?.isOwner === false && !state.isCurrent) await owner.query(grantStatements(pg.escapeIdentifier(role)))
    await owner.query('commit')
  })
}

const ownership = reading<object>()('owns_audit_log', () =>
  build.selectNoFrom(
    sql<boolean>`pg_has_role((select relowner from pg_class where oid = 'audit_log'::regclass), 'member')`.as(
      'isOwner',
    ),
  ),
)

/** Reports whether the service's role could change the audit log: it owns the table, may become its owner, or is a superuser. */
export async function ownsAuditLog(database: Database): Promise<boolean> {
  const [row] = await database.read(ownership, {})
  return row?.isOwner === true
}

/**
 * Lock timeout in milliseconds of the statements that grant privileges. A statement that waits for a lock blocks all
 * later statements, so it times out before requests are noticeably delayed.
 */
const lockTimeoutMs = 500

async function roleOf(connectionString: string, signal: AbortSignal | undefined): Promise<string> {
  return withClient(connectionString, signal, async (client) => {
    const { rows } = await client.query<{ role: string }>('select current_user as role')
    const [row] = rows
    if (row === undefined) throw new Error('The database server returned no current user.')
    return row.role
  })
}

/**
 * The tables of the service. They include the default partitions, because the rotation of partitions reads and writes
 * these directly.
 */
const tables = `
  select
    oid,
    oid::regclass::text as name,
    relname like 'kysely\\_migration%' as "isBookkeeping",
    exists (
      select from pg_trigger where tgrelid = pg_class.oid and tgfoid = 'refuse_change'::regproc and tgtype & 16 <> 0
    ) as "isAppendOnly"
  from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    and (not relispartition or relname like '%\\_default')`

/** Columns that the database fills in itself, so that the service cannot choose their values. */
const stamps = `
  select attrelid, quote_ident(attname) as name
  from pg_attribute
  join pg_attrdef on adrelid = attrelid and adnum = attnum
  where pg_get_expr(adbin, adrelid) ~ 'pg_current_xact_id|clock_timestamp'`

const stateQuery = `
  with own as (${tables})
  select
    pg_has_role($1, (select relowner from pg_class where oid = 'audit_log'::regclass), 'member') as "isOwner",
    not exists (
      select from own
      where not has_table_privilege($1, oid, 'select')
        or has_any_column_privilege($1, oid, 'update') = ("isAppendOnly" or "isBookkeeping")
        or has_table_privilege($1, oid, 'delete') = ("isAppendOnly" or "isBookkeeping")
    )
    and not exists (
      select from own join pg_attribute on attrelid = own.oid and attnum > 0 and not attisdropped
      where has_column_privilege($1, own.oid, attnum, 'insert')
        = ("isBookkeeping" or (own.oid, quote_ident(attname)) in (${stamps}))
    )
    and not exists (
      select from pg_sequence join pg_class on pg_class.oid = seqrelid
      where relnamespace = 'public'::regnamespace and not has_sequence_privilege($1, seqrelid, 'usage')
    )
    and not exists (
      select from pg_proc
      where pronamespace = 'public'::regnamespace and not has_function_privilege($1, oid, 'execute')
    )
    and not exists (
      select from pg_class
      where relnamespace = 'graphile_worker'::regnamespace and relkind in ('r', 'p', 'v')
        and not has_table_privilege($1, oid, 'select, insert, update, delete')
    )
    as "isCurrent"`

/** `role` is a quoted identifier. */
function grantStatements(role: string): string {
  return `
    grant usage on schema public, graphile_worker to ${role};
    grant execute on all functions in schema public, graphile_worker to ${role};
    grant usage, select on all sequences in schema public, graphile_worker to ${role};
    grant select, insert, update, delete on all tables in schema graphile_worker to ${role};
    do $do$
    declare
      own record;
    begin
      for own in ${tables} loop
        execute format('revoke all on %s from ${role}', own.name);
        execute format(
          'grant %s on %s to ${role}',
          case
            when own."isBookkeeping" then 'select'
            when own."isAppendOnly" then format(
              'select, insert (%s)',
              (
                select string_agg(quote_ident(attname), ', ')
                from pg_attribute
                where attrelid = own.oid and attnum > 0 and not attisdropped
                  and quote_ident(attname) not in (select name from (${stamps}) as stamp where attrelid = own.oid)
              )
            )
            else 'select, insert, update, delete'
          end,
          own.name
        );
      end loop;
      -- Graphile Worker enables row-level security on its tables, which exempts only their owner. Creating a policy waits for all
      -- readers of the table, so existing policies stay. A policy is named after its role.
      for own in
        select oid::regclass::text as name
        from pg_class
        where relnamespace = 'graphile_worker'::regnamespace and relrowsecurity
          and not exists (
            select from pg_policy where polrelid = pg_class.oid and polname = '${role}'::regrole::name
          )
      loop
        execute format('create policy ${role} on %s to ${role} using (true) with check (true)', own.name);
      end loop;
    end
    $do$`
}
