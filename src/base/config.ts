import type { z } from 'zod'
import type { ConnectableCarrier } from '../../registry/values/carriers.ts'
import type { PaymentProviderName } from '../../registry/values/payment-providers.ts'
import type { RateLimits } from '../../registry/values/rate-limits.ts'
import { type OperatorOrigin, operatorOriginOf } from './operator-origin.ts'
import { portMax, type smtpServerOf } from './setting-schemas.ts'
import { type Settings, settings } from './settings.ts'

/** Configuration of the service from environment variables. This module alone reads process.env. */

export interface TracingConfig {
  /** URL of the OTLP endpoint without a trailing slash. */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  /** Share of the traces that are recorded, from 0 to 1. */
  readonly sampleRatio: number
}
type Name = keyof Settings

export interface Config {
  readonly port: number
  readonly host: string
  /** Port of the management server; undefined for none. */
  readonly managementPort: number | undefined
  readonly managementHost: string
  /**
   * Number of seconds for which a stopping process still accepts connections. During this time, its readiness check
   * fails, so that load balancers send no further requests.
   */
  readonly drainSeconds: number
  /**
   * Origin of links to the service. If it is undefined, links have the origin to which the current request was sent.
   */
  readonly publicUrl: string | undefined
  readonly dataDirectory: string
  /** URL of the PostgreSQL server; undefined for the embedded server. */
  readonly databaseUrl: string | undefined
  /** Database URL with the role that owns the tables; undefined if the role of `databaseUrl` owns them. */
  readonly databaseOwnerUrl: string | undefined
  /** URL of standbys for reads; undefined if the primary serves all reads. */
  readonly databaseReadUrl: string | undefined
  readonly databaseReadLagMs: number
  /** Database URL that bypasses the pooler; undefined if `databaseUrl` does not lead to a pooler. */
  readonly databaseDirectUrl: string | undefined
  readonly logLevel: z.output<Settings['LOG_LEVEL']['schema']>
  readonly isProduction: boolean
  readonly trustedProxies: number
  readonly role: 'all' | 'api' | 'worker'
  /** Number of API processes. If the number is 1, the first process serves the API itself. */
  readonly processes: number
  readonly rateLimits: RateLimits | 'off'
  /** Duration of each delivery step of the fastest simulated carrier, in seconds. */
  readonly testStepSeconds: number
  readonly webhookPacesSeconds: readonly number[]
  /** Encryption keys. The first key encrypts secrets; every key decrypts them. */
  readonly encryptionKeys: readonly Buffer[]
  readonly smtpServer: ReturnType<typeof smtpServerOf> | undefined
  readonly mailFrom: string
  readonly paymentProviderUrls: Readonly<Record<PaymentProviderName, string>>
  readonly carrierRoots: Readonly<Record<ConnectableCarrier, string>>
  readonly migratesAtStart: boolean
  readonly allowsLoopbackReceivers: boolean
  /** Networks in CIDR notation to which webhooks are not sent. Non-public networks are always refused. */
  readonly webhookRefusedNetworks: readonly string[]
  /** Undefined if no OTLP endpoint is configured. */
  readonly tracing: TracingConfig | undefined
}

export class ConfigError extends Error {}

/** Error message that Zod uses for a union without a message of its own. */
const unionMessage = 'Invalid input'

/**
 * Returns the error message of a Zod issue. For a union that declares no message, returns the message of the first
 * schema in the union.
 */
function messageOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'invalid_union' && issue.message === unionMessage) return messageOf(issue.errors[0]?.[0])
  return issue?.message ?? 'is not valid'
}

export function readOperatorOrigin(): OperatorOrigin {
  return operatorOriginOf(process.env)
}

/**
 * Command-line arguments take precedence over environment variables. Throws one ConfigError with a line for each
 * problem.
 */
export function readConfig(
  variables: NodeJS.ProcessEnv = process.env,
  words: Readonly<Record<string, string>> = {},
): Config {
  const environment = { ...variables, ...words }
  const faults: string[] = []
  const read = <Schema extends z.ZodType>(name: Name, setting: { schema: Schema; default: string }) => {
    const result = setting.schema.safeParse(environment[name] ?? setting.default)
    if (result.success) return result.data
    faults.push(`${name} ${messageOf(result.error.issues[0])}`)
    return setting.schema.parse(setting.default)
  }
  const databaseUrl = read('DATABASE_URL', settings.DATABASE_URL) || undefined
  const databaseOwnerUrl = read('DATABASE_OWNER_URL', settings.DATABASE_OWNER_URL) || undefined
  if (databaseOwnerUrl !== undefined && databaseUrl === undefined)
    faults.push(
      'DATABASE_OWNER_URL requires DATABASE_URL, which connects to the same database with the role of the service',
    )
  const databaseReadUrl = read('DATABASE_READ_URL', settings.DATABASE_READ_URL) || undefined
  if (databaseReadUrl !== undefined && databaseUrl === undefined)
    faults.push('DATABASE_READ_URL requires DATABASE_URL, the URL of the primary')
  const isPooled = read('DATABASE_POOLER', settings.DATABASE_POOLER) === 'transaction'
  const databaseDirectUrl = read('DATABASE_DIRECT_URL', settings.DATABASE_DIRECT_URL) || undefined
  if (isPooled && databaseUrl === undefined)
    faults.push('DATABASE_POOLER=transaction requires DATABASE_URL, the URL of the pooler')
  if (isPooled !== (databaseDirectUrl !== undefined))
    faults.push('DATABASE_POOLER=transaction and DATABASE_DIRECT_URL require each other')
  const isProduction = read('NODE_ENV', settings.NODE_ENV) === 'production'
  const isEmbedded = databaseUrl === undefined
  const migrate = read('MIGRATE', settings.MIGRATE)
  const loopback = read('WEBHOOK_ALLOW_LOOPBACK', settings.WEBHOOK_ALLOW_LOOPBACK)
  if (isProduction && loopback === 'true') faults.push('WEBHOOK_ALLOW_LOOPBACK must not be true in production')
  const smtpServer = read('SMTP_URL', settings.SMTP_URL)
  // compose.yml passes the default of MAIL_FROM if the operator does not set it, so the default is treated as not set.
  if (smtpServer !== undefined && (environment.MAIL_FROM || settings.MAIL_FROM.default) === settings.MAIL_FROM.default)
    faults.push('MAIL_FROM is required with SMTP_URL')
  const port = read('PORT', settings.PORT)
  const managementPort = read('MANAGEMENT_PORT', settings.MANAGEMENT_PORT)
  if (managementPort === port && port !== 0) faults.push('MANAGEMENT_PORT must differ from PORT')
  const role = read('RUN', settings.RUN)
  const processes = read('PROCESSES', settings.PROCESSES)
  if (processes > 1) faults.push(...processFaults({ role, processes, port, managementPort }))
  const otlpEndpoint = read('OTEL_EXPORTER_OTLP_ENDPOINT', settings.OTEL_EXPORTER_OTLP_ENDPOINT)
  const tracing = {
    headers: read('OTEL_EXPORTER_OTLP_HEADERS', settings.OTEL_EXPORTER_OTLP_HEADERS),
    serviceName: read('OTEL_SERVICE_NAME', settings.OTEL_SERVICE_NAME),
    sampleRatio: read('OTEL_TRACES_SAMPLER_ARG', settings.OTEL_TRACES_SAMPLER_ARG),
  }
  const config: Config = {
    port,
    host: read('HOST', settings.HOST),
    managementPort,
    managementHost: read('MANAGEMENT_HOST', settings.MANAGEMENT_HOST),
    drainSeconds: read('DRAIN_SECONDS', settings.DRAIN_SECONDS),
    publicUrl: read('PUBLIC_URL', settings.PUBLIC_URL) || undefined,
    dataDirectory: read('DATA_DIR', settings.DATA_DIR),
    databaseUrl,
    databaseOwnerUrl,
    databaseDirectUrl,
    databaseReadUrl,
    databaseReadLagMs: read('DATABASE_READ_LAG_MS', settings.DATABASE_READ_LAG_MS),
    logLevel: read('LOG_LEVEL', settings.LOG_LEVEL),
    isProduction,
    trustedProxies: read('TRUSTED_PROXIES', settings.TRUSTED_PROXIES),
    role,
    processes,
    rateLimits: read('RATE_LIMITS', settings.RATE_LIMITS),
    testStepSeconds: read('TEST_STEP_SECONDS', settings.TEST_STEP_SECONDS),
    webhookPacesSeconds: read('WEBHOOK_PACE_SECONDS', settings.WEBHOOK_PACE_SECONDS),
    encryptionKeys: read('ENCRYPTION_KEY', settings.ENCRYPTION_KEY),
    smtpServer,
    mailFrom: read('MAIL_FROM', settings.MAIL_FROM),
    paymentProviderUrls: {
      paystack: read('PAYSTACK_URL', settings.PAYSTACK_URL),
      flutterwave: read('FLUTTERWAVE_URL', settings.FLUTTERWAVE_URL),
    },
    carrierRoots: {
      chowdeck: read('CHOWDECK_URL', settings.CHOWDECK_URL),
      fez: read('FEZ_URL', settings.FEZ_URL),
      shipbubble: read('SHIPBUBBLE_URL', settings.SHIPBUBBLE_URL),
    },
    migratesAtStart: migrate === 'always' || (migrate === 'embedded' && isEmbedded),
    allowsLoopbackReceivers: !isProduction && (loopback === 'true' || (loopback === '' && isEmbedded)),
    webhookRefusedNetworks: read('WEBHOOK_REFUSED_NETWORKS', settings.WEBHOOK_REFUSED_NETWORKS),
    tracing: otlpEndpoint === '' ? undefined : { endpoint: otlpEndpoint, ...tracing },
  }
  if (faults.length > 0) throw new ConfigError(faults.map((fault) => `Configuration: ${fault}.`).join('\n'))
  return config
}

/**
 * Returns the errors in the settings if several API processes are configured. Each API process needs a management port
 * of its own; these ports follow the management port of the first process and must not collide with other ports.
 */
function processFaults({
  role,
  processes,
  port,
  managementPort,
}: Pick<Config, 'role' | 'processes' | 'port' | 'managementPort'>): string[] {
  if (role === 'worker') return ['PROCESSES requires RUN=all or RUN=api']
  if (managementPort === undefined || managementPort === 0) return []
  const last = managementPort + processes
  if (last > portMax) return [`MANAGEMENT_PORT must be at most ${portMax - processes} with PROCESSES=${processes}`]
  return port > managementPort && port <= last
    ? [`PORT must not be one of the management ports ${managementPort} to ${last}`]
    : []
}

/**
 * Returns the connection strings of the configured server for the owner of the tables and for the service; undefined
 * for the embedded server.
 */
export function configuredRoles({ databaseUrl, databaseOwnerUrl, databaseDirectUrl }: Config) {
  if (databaseUrl === undefined) return undefined
  return {
    connectionString: databaseUrl,
    ownerConnectionString: databaseOwnerUrl ?? databaseDirectUrl ?? databaseUrl,
    directConnectionString: databaseDirectUrl,
  }
}

/**
 * Throws a ConfigError when a service in production uses the operator's database server and has no encryption key.
 * Without the key, the service would start and then fail at the first secret. With the embedded PostgreSQL, the service
 * has a key file in DATA_DIR.
 */
export function requireEncryptionKey({ isProduction, databaseUrl, encryptionKeys }: Config): void {
  if (!isProduction || databaseUrl === undefined || encryptionKeys.length > 0) return
  throw new ConfigError(
    'Configuration: ENCRYPTION_KEY must be set in production with DATABASE_URL. Make one with `openssl rand -base64 32`.',
  )
}
