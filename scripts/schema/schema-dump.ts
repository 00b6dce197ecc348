import type { Client } from 'pg'
import { ownTables, readCatalogue } from './catalogue.ts'

// The dump is generated from the catalogue of PostgreSQL. The output of pg_dump depends on its version; this dump is
// the same on every supported PostgreSQL version, so a difference in review is a difference in the schema.

interface Table {
  readonly name: string
  readonly options: string | null
  readonly revoked: string | null
}

/** Consecutive lines of the schema dump that belong to one table. */
interface Part {
  readonly table: string
  readonly text: string
}

/**
 * Returns the text of generated/schema.sql: the migrated schema in a fixed order, for review. PostgreSQL cannot execute
 * this text.
 */
export async function schemaDump(connectionString: string): Promise<string> {
  return await readCatalogue(connectionString, async (client) => {
    const domains = await texts(client, domainsQuery)
    const functions = await texts(client, functionsQuery)
    const tables = await tablesOf(client)
    return [header, ...domains, ...functions, ...tables].join('\n\n').concat('\n')
  })
}

const header = `-- DO NOT EDIT. Written by \`npm run generate\` from the migrated schema. The migrations are in src/store/migrations.`

async function tablesOf(client: Client): Promise<string[]> {
  const { rows: tables } = await client.query<Table>(tablesQuery)
  const columns = await partsByTable(client, columnsQuery)
  const constraints = await partsByTable(client, constraintsQuery)
  const indexes = await partsByTable(client, indexesQuery)
  const statistics = await partsByTable(client, statisticsQuery)
  const triggers = await partsByTable(client, triggersQuery)
  const comments = await partsByTable(client, commentsQuery)
  return tables.map(({ name, options, revoked }) => {
    const inside = [...(columns.get(name) ?? []), ...(constraints.get(name) ?? [])]
    return [
      `create table ${name} (\n  ${inside.join(',\n  ')}\n)${options === null ? '' : ` with (${options})`};`,
      ...(indexes.get(name) ?? []),
      ...(statistics.get(name) ?? []),
      ...(triggers.get(name) ?? []),
      ...(revoked === null ? [] : [`revoke ${revoked} on ${name} from current_user;`]),
      ...(comments.get(name) ?? []),
    ].join('\n')
  })
}

async function texts(client: Client, query: string): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(query)
  return rows.map((row) => row.text)
}

async function partsByTable(client: Client, query: string): Promise<Map<string, string[]>> {
  const { rows } = await client.query<Part>(query)
  const byTable = new Map<string, string[]>()
  for (const [table, parts] of Map.groupBy(rows, (row) => row.table)) {
    byTable.set(
      table,
      parts.map((part) => part.text),
    )
  }
  return byTable
}

const notOfAnExtension = (catalogue: string, oid: string) =>
  `not exists (
    select from pg_depend
    where classid = '${catalogue}'::regclass and objid = ${oid} and deptype = 'e'
  )`

const domainsQuery = `
  select concat_ws(e'\\n  ',
      'create domain ' || quote_ident(t.typname) || ' as ' || format_type(t.typbasetype, t.typtypmod)
        || case when t.typcollation <> base.typcollation then ' collate ' || quote_ident(c.collname) else '' end
        || case when t.typnotnull then ' not null' else '' end
        || coalesce(' default ' || t.typdefault, ''),
      (
        select string_agg(
          'constraint ' || quote_ident(conname) || ' ' || pg_get_constraintdef(oid),
          e'\\n  ' order by conname collate "C"
        )
        from pg_constraint
        where contypid = t.oid and contype <> 'n'
      )
    ) || ';' as text
  from pg_type t
  join pg_type base on base.oid = t.typbasetype
  left join pg_collation c on c.oid = t.typcollation
  where t.typnamespace = 'public'::regnamespace
    and t.typtype = 'd'
    and ${notOfAnExtension('pg_type', 't.oid')}
  order by t.typname collate "C"`

const functionsQuery = `
  select rtrim(pg_get_functiondef(p.oid), e'\\n') || ';' as text
  from pg_proc p
  where p.pronamespace = 'public'::regnamespace
    and p.prokind in ('f', 'p')
    and ${notOfAnExtension('pg_proc', 'p.oid')}
  order by p.proname collate "C", pg_get_function_identity_arguments(p.oid) collate "C"`

// The table privilege `maintain` of PostgreSQL 17 is left out, because PostgreSQL 15 does not have it.
const tablesQuery = `
  select quote_ident(t.name) as name,
    array_to_string(t.reloptions, ', ') as options,
    (
      select string_agg(lower(privilege), ', ' order by privilege)
      from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) as privilege
      where t.relacl is not null
        and not exists (
          select from aclexplode(t.relacl) as held
          where held.grantee = t.relowner and held.privilege_type = privilege
        )
    ) as revoked
  from (${ownTables}) t
  order by t.name collate "C"`

const columnsQuery = `
  select quote_ident(t.name) as table,
    quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod)
      || case when a.attcollation <> type.typcollation then ' collate ' || quote_ident(c.collname) else '' end
      || case when a.attnotnull then ' not null' else '' end
      || case
        when a.attgenerated = 's' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
        when a.attidentity = 'a' then ' generated always as identity'
        when a.attidentity = 'd' then ' generated by default as identity'
        else coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
      end as text
  from (${ownTables}) t
  join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
  join pg_type type on type.oid = a.atttypid
  left join pg_collation c on c.oid = a.attcollation
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  order by t.name collate "C", a.attnum`

// The query excludes constraint type n, the not-null constraints. PostgreSQL 18 lists not-null constraints and
// PostgreSQL 15 does not. The dump shows them with the columns instead.
const constraintsQuery = `
  select quote_ident(t.name) as table,
    'constraint ' || quote_ident(c.conname) || ' ' || pg_get_constraintdef(c.oid) as text
  from (${ownTables}) t
  join pg_constraint c on c.conrelid = t.oid and c.contype in ('p', 'u', 'f', 'c', 'x')
  order by t.name collate "C", array_position(array['p', 'u', 'f', 'c', 'x'], c.contype::text), c.conname collate "C"`

const indexesQuery = `
  select quote_ident(t.name) as table,
    pg_get_indexdef(i.indexrelid) || ';' as text
  from (${ownTables}) t
  join pg_index i on i.indrelid = t.oid
  join pg_class index on index.oid = i.indexrelid
  where not exists (
    select from pg_constraint
    where conindid = i.indexrelid and contype in ('p', 'u', 'x')
  )
  order by t.name collate "C", index.relname collate "C"`

const statisticsQuery = `
  select quote_ident(t.name) as table,
    pg_get_statisticsobjdef(s.oid) || ';' as text
  from (${ownTables}) t
  join pg_statistic_ext s on s.stxrelid = t.oid
  order by t.name collate "C", s.stxname collate "C"`

const triggersQuery = `
  select quote_ident(t.name) as table,
    pg_get_triggerdef(g.oid) || ';'
      || case g.tgenabled
        when 'O' then ''
        else e'\\nalter table ' || quote_ident(t.name) || ' '
          || case g.tgenabled when 'A' then 'enable always' when 'R' then 'enable replica' else 'disable' end
          || ' trigger ' || quote_ident(g.tgname) || ';'
      end as text
  from (${ownTables}) t
  join pg_trigger g on g.tgrelid = t.oid and not g.tgisinternal
  order by t.name collate "C", g.tgname collate "C"`

const commentsQuery = `
  select quote_ident(t.name) as table,
    case
      when d.objsubid = 0 then 'comment on table ' || quote_ident(t.name)
      else 'comment on column ' || quote_ident(t.name) || '.' || quote_ident(a.attname)
    end || ' is ' || quote_literal(d.description) || ';' as text
  from (${ownTables}) t
  join pg_description d on d.classoid = 'pg_class'::regclass and d.objoid = t.oid
  left join pg_attribute a on a.attrelid = t.oid and a.attnum = d.objsubid
  order by t.name collate "C", d.objsubid`
