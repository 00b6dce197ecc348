import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { databaseUrlOf, type SessionAttributes } from '../../base/database-url.ts'
import { cutClient, endClient } from './end-client.ts'
import { mismatchOf, readServerState, type ServerState } from './server-state.ts'

/**
 * The servers of a database URL. The connections of a process use one of them at a time. If the URL contains several
 * hosts, the service searches for the primary among them at its start, and again when a connection fails or rejects a
 * write. When another server has become the primary, every connection to the previous one is closed.
 */
export interface Servers {
  /** The URL of the first host of the database URL. The URLs of the other hosts differ only in host and port. */
  readonly url: string
  /**
   * Returns the database server for new connections. Searches for one if none is selected. Rejects with NoServerFound
   * if the search finds none.
   */
  locate(): Promise<Server>
  /**
   * Resolves when no search for the database server is in progress. Never rejects. Undefined if the database URL names
   * only one server, because then no search is necessary.
   */
  settled?(): Promise<void>
  /** Searches for a suitable database server again, because a connection to the selected one failed. */
  suspect(server: Server): void
  /** Throws NoServerFound if a new connection leads to a server without the attributes that the URL requires. */
  requireSuitable(client: pg.Client, server: Server): Promise<void>
  /** Registers an open connection, so that it is closed when the process switches to another database server. */
  follow(client: pg.Client, server: Server): void
}

export interface Server {
  readonly url: string
  readonly host: string
  readonly port: number
}

/**
 * Error if no server of the database URL can be used at present. The error has the code of a connection failure,
 * because the same request may succeed later.
 */
export class NoServerFound extends Error {
  /** The SQLSTATE sqlclient_unable_to_establish_sqlconnection. */
  readonly code = '08001'
}

/**
 * Time limit for a probe of a server. Connecting to a server in the same country takes less time. The limit is short,
 * so that the service can probe again before a request times out.
 */
const probeMs = 2_000

/**
 * Time in milliseconds for which the search waits for the other servers after it found the first suitable one, such as
 * a primary. During a network split, two servers may claim to be the primary, but only the one with the newer timeline
 * is the primary.
 */
const graceMs = 250

/**
 * Shortest time between two searches for the database server, so that requests do not flood the servers during a
 * failover.
 */
const pauseMs = 200

export function openServers(text: string): Servers {
  const { hosts, attributes } = databaseUrlOf(text)
  const servers = hosts.map(serverOf)
  const [first] = servers
  if (first === undefined) throw new Error('A database URL must have a host.')
  if (servers.length === 1 && attributes === undefined) return onlyServer(first)
  return searchedServers(servers, first, attributes ?? 'read-write')
}

function serverOf(url: string): Server {
  const { host, port } = new pg.Client({ connectionString: url })
  return { url, host, port }
}

function onlyServer(server: Server): Servers {
  return {
    url: server.url,
    locate: async () => server,
    suspect: () => undefined,
    requireSuitable: async () => undefined,
    follow: () => undefined,
  }
}

function searchedServers(servers: readonly Server[], first: Server, wanted: SessionAttributes): Servers {
  const clients = new Map<pg.Client, Server>()
  const timelines = openTimelines()
  let known: Server | undefined
  let search: Promise<Server> | undefined

  const requireState = (server: Server, state: ServerState) => {
    const mismatch = mismatchOf(state, wanted) ?? timelines.mismatchOf(state)
    if (mismatch !== undefined) throw new NoServerFound(`${nameOf(server)} ${mismatch}`)
  }
  const use = (server: Server): Server => {
    known = server
    for (const [client, previous] of clients) if (previous !== server) cutClient(client)
    return server
  }
  const start = () => {
    const found = findServer(servers, { wanted, requireState, replace: use }).then(use)
    search = found
    const end = () => {
      search = undefined
    }
    // The error of a failed search for a database server is stored for a moment. Requests in this time fail at once
    // with the same error, and do not start another search.
    found.then(end, () => setTimeout(end, pauseMs).unref())
    return found
  }
  const suspect = (server: Server) => {
    if (known !== server || search !== undefined) return
    known = undefined
    start().catch(() => undefined)
  }
  return {
    url: first.url,
    locate: async () => known ?? search ?? start(),
    settled: async () => {
      await search?.catch(() => undefined)
    },
    suspect,
    requireSuitable: async (client, server) => requireState(server, await readServerState(client, probeMs)),
    follow: (client, server) => {
      clients.set(client, server)
      client.once('end', () => clients.delete(client))
      if (known !== undefined && known !== server) cutClient(client)
    },
  }
}

/**
 * The newest known timeline of each cluster. A primary with an older timeline was replaced by a promotion that it has
 * not noticed, so its commits will be lost.
 */
function openTimelines() {
  const newest = new Map<string, string>()
  return {
    mismatchOf: ({ systemId, timeline }: ServerState): string | undefined => {
      if (timeline === null) return undefined
      const known = newest.get(systemId) ?? timeline
      if (timeline < known) return `is on timeline ${timeline}, which a promotion has replaced by ${known}`
      newest.set(systemId, timeline)
      return undefined
    },
  }
}

interface Criteria {
  readonly wanted: SessionAttributes
  /** Throws if the database server must not be used for new connections. */
  readonly requireState: (server: Server, state: ServerState) => void
  /**
   * Called if another server responds after the search has ended, and the timeline of this server is newer than that of
   * the selected server.
   */
  readonly replace: (server: Server) => void
}

interface Candidate {
  readonly server: Server
  readonly state: ServerState
}

/** Probes all servers at once and returns the best one that can be used. Takes at most the time of one probe. */
async function findServer(servers: readonly Server[], criteria: Criteria): Promise<Server> {
  const { wanted, requireState, replace } = criteria
  const candidates: Candidate[] = []
  const failures: string[] = []
  const probes = servers.map(async (server) => {
    try {
      const state = await probe(server)
      requireState(server, state)
      candidates.push({ server, state })
    } catch (error) {
      failures.push(error instanceof NoServerFound ? error.message : `${nameOf(server)} failed (${reasonOf(error)})`)
      throw error
    }
  })
  const all = Promise.allSettled(probes)
  // With target_session_attrs=prefer-standby, the search waits for the responses of all servers, because a standby is
  // preferred to a primary that responded earlier.
  const first = wanted === 'prefer-standby' ? all : Promise.any(probes).then(() => wait(graceMs))
  await Promise.race([all, first.catch(() => all)])
  const bestOf = () => candidates.toSorted((one, other) => compare(one, other, servers))[0]
  const best = bestOf()
  if (best === undefined) throw new NoServerFound(`No server of the database can be used: ${failures.join('; ')}.`)
  void all.then(() => {
    const last = bestOf()
    if (last !== undefined && isNewer(last.state, best.state)) replace(last.server)
  })
  return best.server
}

/**
 * Compares two servers for sorting, the preferred one first. If a standby and a primary are both suitable, the standby
 * comes first. Otherwise, the server with the newer timeline comes first. For equal timelines, the position in the list
 * of servers decides.
 */
function compare(one: Candidate, other: Candidate, servers: readonly Server[]): number {
  const standbys = Number(other.state.isStandby) - Number(one.state.isStandby)
  const timelines = (other.state.timeline ?? '').localeCompare(one.state.timeline ?? '')
  return standbys || timelines || servers.indexOf(one.server) - servers.indexOf(other.server)
}

function isNewer(one: ServerState, other: ServerState): boolean {
  return one.timeline !== null && other.timeline !== null && one.timeline > other.timeline
}

async function probe({ url }: Server): Promise<ServerState> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: probeMs })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await readServerState(client, probeMs)
  } finally {
    // The probe does not wait until its connection has closed, because a server that does not respond would delay the
    // probes of the other servers.
    void endClient(client)
  }
}

function nameOf({ host, port }: Server): string {
  return `${host}:${port}`
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}
