import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openClock } from '../../app/open-clock.ts'
import { openClaimed } from '../../app/open-keys.ts'
import { type Config, configuredRoles, readConfig } from '../../base/config.ts'
import { silentLog } from '../../base/log.ts'
import { findVault, type Vault, VaultError } from '../../base/vault.ts'
import { type AddressPolicy, addressPolicy } from '../../outbound/address-policy.ts'
import { type Database, openDatabase } from '../../store/core/database.ts'
import type { Context } from '../../store/core/mutation.ts'
import { nameConnections } from '../../store/core/server-client.ts'
import { type EmbeddedPostgres, openEmbedded } from '../../store/embedded/embedded.ts'
import { prepareSchema } from '../../store/server/migrate.ts'
import type { DatabaseRoles } from '../../store/server/service-role.ts'
import { requireUsable } from '../../store/server/usable.ts'
import { createDueNotifier } from '../../worker/due-notifier.ts'
import { CommandFailure } from './failure.ts'

export type CommandContext = Context & {
  readonly policy: AddressPolicy
  readonly vault: Vault
  /** Vault with the configured encryption keys. Stored secrets may need keys that this vault lacks. */
  readonly configuredVault: Vault
  /**
   * Error that explains why the vault cannot encrypt and decrypt, such as a missing key. Undefined if the vault works.
   */
  readonly keyFault: VaultError | undefined
  readonly isProduction: boolean
  /** The public origin of the service; undefined without PUBLIC_URL. */
  readonly publicUrl: string | undefined
}

/** Fails when the database schema does not match this release. */
export function connected<Result>(work: (context: CommandContext) => Promise<Result>): Promise<Result> {
  return withServer(async (server, config) => {
    const { connectionString, directConnectionString } = server
    await requireUsable(connectionString)
    await prepareSchema(config, server)
    const database = openDatabase({ connectionString, directConnectionString })
    // A failed notification to the workers only delays a delivery, so it is not logged: standard error is for the
    // command's errors.
    const nudger = createDueNotifier(database, silentLog)
    const { isProduction, publicUrl } = config
    const clock = await openClock(database, silentLog)
    const policy = addressPolicy(config)
    try {
      const { nudge } = nudger
      const keys = await openCommandVault(config, database)
      return await work({ database, clock, nudge, policy, isProduction, publicUrl, ...keys })
    } finally {
      clock.stop()
      await nudger.flush()
      await database.close()
    }
  })
}

/** If an encryption key is missing, only commands that use the vault fail, because most commands need no key. */
async function openCommandVault(
  config: Config,
  database: Database,
): Promise<Pick<CommandContext, 'vault' | 'configuredVault' | 'keyFault'>> {
  try {
    const vault = await openClaimed(config, database)
    return { vault, configuredVault: vault, keyFault: undefined }
  } catch (error) {
    if (!(error instanceof VaultError)) throw error
    const refuse = () => {
      throw error
    }
    const configuredVault = findVault(config)
    const { signer } = configuredVault
    return {
      vault: { seal: refuse, open: refuse, mark: refuse, keyOf: refuse, signer },
      configuredVault,
      keyFault: error,
    }
  }
}

/**
 * Runs work with the database server: the server of DATABASE_URL, or the embedded PostgreSQL of DATA_DIR. If the
 * service is running, the command uses the embedded server that the service has started; otherwise the command starts
 * the server for the duration of the work.
 */
export function withServer<Result>(work: (server: Server, config: Config) => Promise<Result>): Promise<Result> {
  return withOpened(findServer, work)
}

/** Fails if the operator has configured another database server with DATABASE_URL. */
export function withEmbedded<Result>(
  work: (postgres: EmbeddedPostgres, config: Config) => Promise<Result>,
): Promise<Result> {
  return withOpened(async (config, signal) => {
    requireEmbedded(config)
    return openEmbedded({ dataDirectory: config.dataDirectory, signal })
  }, work)
}

export function requireEmbedded({ databaseUrl }: Config): void {
  if (databaseUrl === undefined) return
  throw new CommandFailure(
    'This command is for the embedded PostgreSQL, but DATABASE_URL names another server. The guide Backups shows how to back up and restore that server.',
  )
}

async function withOpened<Opened extends { stop(): Promise<void> }, Result>(
  open: (config: Config, signal: AbortSignal) => Promise<Opened>,
  work: (opened: Opened, config: Config) => Promise<Result>,
): Promise<Result> {
  const config = readConfig()
  nameConnections('command')
  const opening = new AbortController()
  const finding = open(config, opening.signal)
  const unwatch = stopOnSignal(async () => {
    opening.abort()
    await (await finding).stop()
  })
  try {
    return await work(await finding, config)
  } finally {
    await finding.then(({ stop }) => stop()).finally(unwatch)
  }
}

interface Server extends DatabaseRoles {
  stop(): Promise<void>
}

async function findServer(config: Config, signal: AbortSignal): Promise<Server> {
  const roles = configuredRoles(config)
  if (roles !== undefined) return { ...roles, stop: async () => undefined }
  announceNew(config)
  return openEmbedded({ dataDirectory: config.dataDirectory, signal })
}

/**
 * The command announces when it creates a database. Otherwise an operator who did not set DATABASE_URL would work on a
 * new, empty database without noticing.
 */
function announceNew({ dataDirectory }: Config): void {
  if (existsSync(join(dataDirectory, 'postgres'))) return
  process.stderr.write(`DATABASE_URL is not set: creating an embedded PostgreSQL in ${resolve(dataDirectory)}.\n`)
}

// SIGHUP, which is sent when the terminal is closed, also stops the command.
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Stops the embedded server on a signal, so that it does not outlive the command. Transactions roll back. */
export function stopOnSignal(stop: () => Promise<void>): () => void {
  let isStopping = false
  const onSignal = (signal: NodeJS.Signals) => {
    // The process may get a signal two times: as a member of the process group, and forwarded by npm. The second signal
    // is ignored.
    if (isStopping) return
    isStopping = true
    const end = () => {
      unwatch()
      // After the handler of the signal is removed, sending the signal again ends the process in the default way.
      process.kill(process.pid, signal)
    }
    stop().then(end, end)
  }
  const unwatch = () => {
    for (const signal of signals) process.off(signal, onSignal)
  }
  for (const signal of signals) process.on(signal, onSignal)
  return unwatch
}
