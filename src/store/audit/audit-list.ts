import { type RawBuilder, sql } from 'kysely'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs } from '../../base/clock.ts'
import { lowestIdAt } from '../../base/ids.ts'
import type { Actor } from '../core/audit.ts'
import type { ReadDb } from '../core/database.ts'
import { type ReadStatement, reading } from '../core/statement.ts'
import { findRecords, selectMembersNamed } from './found-records.ts'

/**
 * The list of audit rows. The id of a row starts with the time of the row, so a time range is a range of ids. Each
 * statement reads its page from an index whose last column is the id.
 */

export interface AuditFilter {
  readonly merchantId: MerchantId
  readonly limit: number
  /**
   * Filter of the audit list: the id or the name of a token or member, a part of the name or e-mail address of a member,
   * or the name of an operator. Null or undefined matches any actor.
   */
  readonly actor?: string | null
  /** Filter of the audit list: an action such as `refund.create`, or a prefix such as `refund`. */
  readonly action?: string | null
  /**
   * Filter of the audit list by a record that the change concerns. The value is the id of any record, or the number of
   * an order. It can also be the name, e-mail address or phone number of a customer or member.
   */
  readonly resourceId?: string | null
  readonly since?: Timestamp | null
  readonly until?: Timestamp | null
  /** The last audit row of the previous page: the list contains only rows before it. */
  readonly beforeId?: string | null
}

export interface AuditListRow {
  readonly id: string
  readonly occurredAt: Timestamp
  readonly actorType: Actor['type']
  readonly actorId: string | null
  readonly actorLabel: string
  readonly sessionId: string | null
  /** The name of the token that made the change. The audit row itself stores only the id of the token. */
  readonly actorName: string | null
  readonly action: string
  readonly resourceType: string
  readonly resourceId: string
  /** The ids of the records that the change concerns. Null in audit rows from before the audit log had this column. */
  readonly resources: readonly string[] | null
  readonly requestId: string | null
  readonly sourceIp: string | null
  readonly userAgent: string | null
  readonly changes: Readonly<Record<string, unknown>>
}

interface ListArgs {
  readonly merchantId: MerchantId
  readonly limit: number
  /** The list contains only rows with ids from `fromId` (included) to `beforeId` (excluded). */
  readonly fromId: string
  readonly beforeId: string
  /** Null lists the rows of all actors. */
  readonly actors: readonly string[] | null
  readonly actions: readonly string[] | null
  /** Null lists the changes of all records. */
  readonly records: readonly string[] | null
}

/** The indexed expressions of the audit log, by which rows are searched. */
const actorOf = sql`coalesce(log.actor_id, log.actor_label)`
const actionOf = sql`log.action collate "C"`

const isOfActors = (p: ListArgs) => sql`(${p.actors}::text[] is null or ${actorOf} = any(${p.actors}::text[]))`
const isOfActions = (p: ListArgs) => sql`(${p.actions}::text[] is null or ${actionOf} = any(${p.actions}::text[]))`

const newest = (p: ListArgs, condition: RawBuilder<unknown>) => sql`
  select * from audit_log as log
  where log.merchant_id = ${p.merchantId} and ${condition} and log.id >= ${p.fromId} and log.id < ${p.beforeId}
  order by log.id desc
  limit ${p.limit}`

/** Returns the newest audit rows of the subquery `source`, with the names of the tokens that acted. */
const named = (p: ListArgs, source: RawBuilder<unknown>) => sql<AuditListRow>`
  select
    log.id, log.occurred_at, log.actor_type, log.actor_id, log.actor_label, log.session_id, token.name as actor_name,
    log.action, log.resource_type, log.resource_id, log.resources, log.request_id, log.source_ip, log.user_agent, log.changes
  from (select log.* from ${source} order by log.id desc limit ${p.limit}) as log
  left join api_tokens as token on token.merchant_id = log.merchant_id and token.id = log.actor_id
  order by log.id desc`

const statements = {
  newest_first: reading<ListArgs>()('list_audit', (p) => named(p, sql`(${newest(p, sql`true`)}) as log`)),

  /**
   * For each searched record, reads two lists of audit rows, each of at most one page: the rows with the searched
   * record as their main record, and other rows that concern the searched record. A row that concerns several of the
   * searched records is listed once.
   */
  of_records: reading<ListArgs>()('list_audit_of_records', (p) => {
    const filters = sql`${isOfActors(p)} and ${isOfActions(p)}`
    return named(
      p,
      sql`(
        select distinct on (found.id) found.*
        from unnest(${p.records}::text[]) as wanted (record)
        cross join lateral (
          (${newest(p, sql`log.resource_id = wanted.record and ${filters}`)})
          union all
          (
            select log.*
            from audit_resources as concerned
            join audit_log as log on log.merchant_id = concerned.merchant_id and log.id = concerned.audit_id
            where concerned.merchant_id = ${p.merchantId} and concerned.resource_id = wanted.record
              and concerned.audit_id >= ${p.fromId} and concerned.audit_id < ${p.beforeId} and ${filters}
            order by concerned.audit_id desc
            limit ${p.limit}
          )
        ) as found
        order by found.id desc
      ) as log`,
    )
  }),

  /** For each actor, reads one page of audit rows; returns the newest rows of all pages. */
  of_actors: reading<ListArgs>()('list_audit_of_actors', (p) =>
    named(
      p,
      sql`unnest(${p.actors}::text[]) as wanted (actor)
      cross join lateral (${newest(p, sql`${actorOf} = wanted.actor and ${isOfActions(p)}`)}) as log`,
    ),
  ),

  /** Reads one page of audit rows for each requested action, and returns the newest rows of these pages. */
  of_actions: reading<ListArgs>()('list_audit_of_actions', (p) =>
    named(
      p,
      sql`unnest(${p.actions}::text[]) as wanted (action)
      cross join lateral (${newest(p, sql`${actionOf} = wanted.action`)}) as log`,
    ),
  ),
}

/** A statement of the audit list and its arguments, exposed so that tests and benchmarks can check the query plan. */
export interface AuditQuery {
  readonly statement: ReadStatement<ListArgs, AuditListRow>
  readonly args: ListArgs
}

/** A text that sorts after every id of an audit row, because each id starts with `aud_`. */
const aboveEveryId = 'b'

export async function auditQuery(db: ReadDb, filter: AuditFilter): Promise<AuditQuery> {
  const { merchantId, limit, actor, action, resourceId, since, until, beforeId } = filter
  const untilId = until == null ? aboveEveryId : lowestIdAt('aud', toMs(until))
  const args = {
    merchantId,
    limit,
    fromId: since == null ? '' : lowestIdAt('aud', toMs(since)),
    beforeId: beforeId == null || untilId < beforeId ? untilId : beforeId,
    actors: actor == null ? null : await findActors(db, merchantId, actor),
    actions: action == null ? null : await findActions(db, merchantId, action),
    records: resourceId == null ? null : await findRecords(db, merchantId, resourceId),
  }
  return { statement: statements[orderFor(args)], args }
}

/**
 * Returns the name of the statement that searches by the narrowest filter: a record has few audit rows, and an actor
 * usually has fewer audit rows than an action.
 */
function orderFor({ records, actors, actions }: ListArgs): keyof typeof statements {
  if (records !== null) return 'of_records'
  if (actors !== null) return 'of_actors'
  return actions === null ? 'newest_first' : 'of_actions'
}

/** Returns the audit rows that match a filter, newest first. */
export async function listAudit(db: ReadDb, filter: AuditFilter): Promise<readonly AuditListRow[]> {
  const { statement, args } = await auditQuery(db, filter)
  return db.read(statement, args)
}

const actorsNamed = reading<{ merchantId: MerchantId; actor: string }>()(
  'find_audit_actors',
  (p) => sql<{ actor: string }>`
    select id as actor
    from api_tokens
    where merchant_id = ${p.merchantId} and search_key(name) = search_key(${p.actor}::text)
    union
    ${selectMembersNamed(p.merchantId, p.actor, sql`members.id`)}`,
)

/**
 * Returns the ids of the actors that a search text can mean. They are the text itself, the ids of tokens with this
 * name, and the ids of members whose name or e-mail address contains the text.
 */
async function findActors(db: ReadDb, merchantId: MerchantId, actor: string): Promise<readonly string[]> {
  const named = await db.read(actorsNamed, { merchantId, actor })
  return [...new Set([actor, ...named.map((row) => row.actor)])]
}

/**
 * Returns the distinct actions that begin with the name of a group, such as `refund`, and a dot. The statement skips in
 * the index from one action to the next. The upper bound is the group and `/`, the character after the dot in ASCII.
 */
const actionsOfGroup = reading<{ merchantId: MerchantId; group: string }>()(
  'find_audit_actions',
  (p) => sql<{ action: string }>`
    with recursive found (action) as (
      (
        select log.action collate "C" from audit_log as log
        where log.merchant_id = ${p.merchantId}
          and ${actionOf} >= ${p.group} || '.' and ${actionOf} < ${p.group} || '/'
        order by ${actionOf}
        limit 1
      )
      union all
      select (
        select log.action collate "C" from audit_log as log
        where log.merchant_id = ${p.merchantId} and ${actionOf} > found.action and ${actionOf} < ${p.group} || '/'
        order by ${actionOf}
        limit 1
      )
      from found where found.action is not null
    )
    select action from found where action is not null`,
)

async function findActions(db: ReadDb, merchantId: MerchantId, action: string): Promise<readonly string[]> {
  const ofGroup = await db.read(actionsOfGroup, { merchantId, group: action })
  return [action, ...ofGroup.map((row) => row.action)]
}
