import type pg from 'pg'
import type { SessionAttributes } from '../../base/database-url.ts'
import { cutClient } from './end-client.ts'
import { isUnavailable } from './faults.ts'

/** The role of a server in its cluster, as a session sees it. */
export interface ServerState {
  readonly isStandby: boolean
  /** Whether transactions are read-only by default, as on a primary that an operator has set read-only. */
  readonly isReadOnly: boolean
  /** The identifier of the cluster. Every standby has the identifier of its primary. */
  readonly systemId: string
  /** The timeline, in hexadecimal digits of fixed length, which increases with each promotion. Null on a standby. */
  readonly timeline: string | null
}

const role = `
  pg_is_in_recovery() as "isStandby",
  current_setting('default_transaction_read_only')::boolean as "isReadOnly"`

/** Reads the state of a server. The timeline is the first eight digits in the name of the current WAL file. */
const stateQuery = `
  select
    ${role},
    (select system_identifier from pg_control_system())::text as "systemId",
    case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end as timeline`

/**
 * Reads only the role of a server. Some managed servers refuse the functions that the query of the whole state uses.
 */
const roleQuery = `select ${role}, '' as "systemId", null as timeline`

/** Cuts the connection if the server does not respond within `limitMs` milliseconds. */
export async function readServerState(client: pg.Client, limitMs: number): Promise<ServerState> {
  const timer = setTimeout(() => cutClient(client), limitMs)
  const read = async (query: string): Promise<ServerState> => {
    const { rows } = await client.query<ServerState>(query)
    const [state] = rows
    if (state === undefined) throw new Error('The database server returned no state.')
    return state
  }
  try {
    return await read(stateQuery).catch((error: unknown) => {
      if (isUnavailable(error)) throw error
      return read(roleQuery)
    })
  } finally {
    clearTimeout(timer)
  }
}

/** Returns why a server lacks the attributes that the database URL requires; undefined if the server has them. */
export function mismatchOf(state: ServerState, wanted: SessionAttributes): string | undefined {
  const { isStandby, isReadOnly } = state
  switch (wanted) {
    case 'any':
    case 'prefer-standby':
      return undefined
    case 'read-write':
      if (isStandby) return 'is a standby'
      return isReadOnly ? 'is read-only' : undefined
    case 'read-only':
      return isStandby || isReadOnly ? undefined : 'accepts writes'
    case 'primary':
      return isStandby ? 'is a standby' : undefined
    case 'standby':
      return isStandby ? undefined : 'is not a standby'
  }
}
