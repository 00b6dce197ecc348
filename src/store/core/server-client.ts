import { hostname } from 'node:os'
import pg from 'pg'
import { abortable, cutClient, endClient } from './end-client.ts'
import { isReadOnly } from './faults.ts'
import { openServers, type Server, type Servers } from './servers.ts'

/**
 * Connections that follow the primary of a database with several hosts. This file creates the pools and clients with
 * which the service works.
 */

/** Maximum length of an application_name. PostgreSQL truncates a longer name (`NAMEDATALEN` less one). */
const nameMax = 63

/**
 * The name of this process in `pg_stat_activity`. It contains the host and the process id, so that the names of
 * processes with the same role differ. Processes on one machine differ by the process id. Processes in containers,
 * where each has the process id 1, differ by the host.
 */
let processName = connectionName('other')

/**
 * Sets the name of the database connections that this process opens from now on. The name contains the role of the
 * process, such as `api`.
 */
export function nameConnections(role: string): void {
  processName = connectionName(role)
}

/**
 * If the host name is too long, the connection name contains only the last characters of the host name, because these
 * characters differ between the pods of one deployment.
 */
export function connectionName(role: string, host = hostname(), id = process.pid): string {
  const [head, tail] = [`commerce-${role}-`, `-${id}`]
  const [label = ''] = host.split('.')
  return `${head}${label.slice(-(nameMax - head.length - tail.length))}${tail}`
}

/**
 * The name of this process is only the default: an `application_name` in the database URL, or the variable PGAPPNAME,
 * takes precedence.
 */
const named = () => ({ fallback_application_name: processName })

/** Opens a pool whose connections go to the database server that is currently used. */
export function openPool(servers: Servers, config: Omit<pg.PoolConfig, 'connectionString' | 'Client'>): pg.Pool {
  return new pg.Pool({ ...named(), ...config, connectionString: servers.url, Client: clientClassOf(servers) })
}

export function newClient(servers: Servers, config: Omit<pg.ClientConfig, 'connectionString'> = {}): pg.Client {
  const Client = clientClassOf(servers)
  return new Client({ ...named(), ...config, connectionString: servers.url })
}

/** Returns a client for a single task. The client itself searches for a suitable server. */
export function newClientOf(connectionString: string, config: Omit<pg.ClientConfig, 'connectionString'> = {}) {
  return newClient(openServers(connectionString), config)
}

/** Runs work on a separate connection, which is closed at once when the signal aborts. */
export async function withClient<Result>(
  connectionString: string,
  signal: AbortSignal | undefined,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = newClientOf(connectionString)
  client.on('error', () => undefined)
  try {
    return await abortable(
      signal,
      () => cutClient(client),
      async () => {
        await client.connect()
        return work(client)
      },
    )
  } finally {
    await endClient(client)
  }
}

/**
 * Class of the PostgreSQL clients of a pool. node-postgres only constructs a client and then calls connect(), so
 * connect() determines the server to which the client connects.
 */
function clientClassOf(servers: Servers) {
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config)
      // The client needs an error listener of its own, because the pool and its users listen for errors only once the
      // connection has been checked.
      this.on('error', () => undefined)
    }

    override connect(): Promise<pg.Client>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const opened = this.#open()
      if (callback === undefined) return opened
      // The callback is called with Reflect.apply(), because the types of node-postgres do not allow a direct call with
      // this client as an argument.
      opened.then(
        () => Reflect.apply(callback, undefined, [null, this]),
        (error: unknown) => Reflect.apply(callback, undefined, [error]),
      )
      return undefined
    }

    async #open(): Promise<pg.Client> {
      const server = await servers.locate()
      if (this.connection.stream.destroyed)
        throw new Error('The connection ended while the client searched for a usable database server.')
      Object.assign(this, { host: server.host, port: server.port })
      try {
        await super.connect()
        await servers.requireSuitable(this, server)
      } catch (error) {
        servers.suspect(server)
        cutClient(this)
        throw error
      }
      this.#watch(server)
      return this
    }

    #watch(server: Server): void {
      servers.follow(this, server)
      this.on('error', () => servers.suspect(server))
      this.connection.on('errorMessage', (message: unknown) => {
        if (!isReadOnly(message)) return
        servers.suspect(server)
        // The server is now a standby, which rejects writes. The statement receives the server's error before the
        // connection is cut. The pool then removes the connection.
        setImmediate(() => cutClient(this))
      })
    }
  }
}
