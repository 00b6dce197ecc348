import { z } from 'zod'
import { stepSeconds } from '../../registry/service/test-carriers.ts'
import { webhookPacesSeconds } from '../../registry/values/limits.ts'
import { defaultRateLimits, type RateLimits } from '../../registry/values/rate-limits.ts'
import { parseDatabaseUrl } from './database-url.ts'
import { type OperatorOrigin, operatorOriginOf } from './operator-origin.ts'
import { formatRateLimits, parseRateLimits } from './rate-limits.ts'

/**
 * Configuration of the service from environment variables, all of them optional. This module alone reads process.env,
 * and the table in the Configuration guide is generated from the declarations below.
 */
const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, { error: 'must be a whole number' })
    .transform(Number)
    .pipe(
      z
        .int()
        .min(min, { error: `must be at least ${min}` })
        .max(max, { error: `must be at most ${max}` }),
    )

/** The highest TCP port. */
const portMax = 65_535

/** More processes than most machines have cores. */
const processesMax = 64

/** The key length of AES-256. */
const encryptionKeyBytes = 32

function keysOf(text: string): readonly Buffer[] {
  return partsOf(text).map((part) => Buffer.from(part, 'base64'))
}

function partsOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** The values of target_session_attrs with which the service can write. */
const writable: readonly unknown[] = [undefined, 'any', 'read-write', 'primary']

const databaseUrl = z.string().superRefine((text, context) => {
  if (text === '') return
  const parsed = parseDatabaseUrl(text)
  if ('fault' in parsed) context.addIssue({ code: 'custom', message: parsed.fault })
  else if (!writable.includes(parsed.attributes)) context.addIssue({ code: 'custom', message: notWritable })
})

const notWritable = 'must not have a target_session_attrs that selects standbys: the service writes'

/** The values of target_session_attrs that select standbys. The service uses no other servers for these reads. */
const standbyAttributes: readonly unknown[] = [undefined, 'standby', 'prefer-standby']

const standbyUrl = z.string().superRefine((text, context) => {
  if (text === '') return
  const parsed = parseDatabaseUrl(text)
  if ('fault' in parsed) context.addIssue({ code: 'custom', message: parsed.fault })
  else if (!standbyAttributes.includes(parsed.attributes))
    context.addIssue({
      code: 'custom',
      message: 'must have standby or prefer-standby as target_session_attrs, or none',
    })
})

/** URL of a carrier or payment provider. The address policy limits plain http:// to this machine, for tests. */
const partnerUrl = z.url({ protocol: /^https?$/, error: 'must be an https:// address' })

const rateLimits = z.string().transform((line, context): RateLimits | 'off' => {
  if (line === 'off') return 'off'
  const limits = parseRateLimits(line)
  if (limits !== undefined) return limits
  context.addIssue({ code: 'custom', message: `must be off or limits such as ${formatRateLimits(defaultRateLimits)}` })
  return z.NEVER
})

/** The ports of mail submission: with TLS from the start, and with STARTTLS (RFC 8314). */
const smtpPorts = { 'smtps:': 465, 'smtp:': 587 } as const

/** Without a query, whose options could turn off the verification of TLS in some mail libraries. */
const smtpForm = /^smtps?:\/\/[^/?#]+\/?$/

const smtpUrl = z
  .string()
  .refine((text) => text === '' || (smtpForm.test(text) && URL.canParse(text)), {
    error: 'must be an smtp:// or smtps:// address of a host, with a user, a password and a port if needed',
  })
  .transform((text) => (text === '' ? undefined : smtpServerOf(text)))

function smtpServerOf(text: string) {
  const { protocol, hostname, port, username, password } = new URL(text)
  const isTls = protocol === 'smtps:'
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? smtpPorts[isTls ? 'smtps:' : 'smtp:'] : Number(port),
    isTls,
    credentials: username === '' ? null : { user: decoded(username), pass: decoded(password) },
  }
}

/** Decodes a part of a URL. A percent sign that encodes nothing stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A sender: an address, with or without a name before it in angle brackets. */
const senderForm = /^(?:[^<>"@,;:\p{Cc}]{1,80} <([^<>\s]+)>|([^<>\s]+))$/u

/** A token of RFC 9110, and printable ASCII: anything else could add another header. */
const headerForm = /^([!#$%&'*+.^_`|~\w-]+)=([\x20-\x7e]+)$/

/** Returns the headers in a list; undefined if it is malformed. */
function headersOf(text: string): Readonly<Record<string, string>> | undefined {
  const pairs = partsOf(text).map((part) => {
    const [, name, value] = headerForm.exec(part) ?? []
    return name === undefined || value === undefined ? undefined : ([name, decoded(value)] as const)
  })
  const found = pairs.filter((pair) => pair !== undefined && /^[\x20-\x7e]+$/.test(pair[1]))
  return found.length === pairs.length ? Object.fromEntries(found.filter((pair) => pair !== undefined)) : undefined
}

export const settings = {
  PORT: {
    schema: wholeNumber(0, portMax),
    default: '3000',
    meaning: 'Port of the API; 0 for any free port.',
  },
  HOST: {
    schema: z.string().min(1),
    default: '127.0.0.1',
    meaning: 'Address the API listens on.',
  },
  MANAGEMENT_PORT: {
    schema: z
      .string()
      .regex(/^\d*$/, { error: 'must be a whole number' })
      .transform((text) => (text === '' ? undefined : Number(text)))
      .refine((port) => port === undefined || port <= portMax, { error: `must be at most ${portMax}` }),
    default: '',
    meaning:
      'Port of the health checks `/livez` and `/readyz`, in every role; 0 for any free port. It needs no token, so it must not ' +
      'be public. Unset: none. The API’s port always serves the health checks.',
  },
  MANAGEMENT_HOST: {
    schema: z.string().min(1, { error: 'must be an address' }),
    default: '127.0.0.1',
    meaning: 'Address that `MANAGEMENT_PORT` listens on.',
  },
  DRAIN_SECONDS: {
    schema: wholeNumber(0, 300),
    // HAProxy and Kubernetes notice within two seconds if they probe every second and need two failures.
    default: '3',
    meaning:
      'Time for which a stopping process still serves requests after `/readyz` fails, so that load balancers stop sending them. ' +
      'A process whose `/readyz` was not read within the last minute does not wait.',
  },
  PUBLIC_URL: {
    schema: z
      .url({ protocol: /^https?$/, error: 'must be an origin, such as https://api.example.com' })
      .refine((url) => URL.parse(url)?.origin === url.replace(/\/$/, ''), {
        error: 'must be an origin without a path, such as https://api.example.com',
      })
      .transform((url) => new URL(url).origin)
      .or(z.literal('')),
    default: '',
    meaning:
      'Public origin of the service, for links and samples. Unset: the origin that each request was sent to; e-mails then name ' +
      'a command instead of a link.',
  },
  DATA_DIR: {
    schema: z.string().min(1),
    default: '.data',
    meaning: 'Data directory of the embedded PostgreSQL, and of e-mails in development (`mail/`).',
  },
  DATABASE_URL: {
    schema: databaseUrl,
    default: '',
    meaning:
      'URL of a PostgreSQL server, 15 or newer, to use instead of the embedded one. With several hosts, such as ' +
      '`postgres://user:password@a:5432,b:5432/commerce`, the service uses the primary and follows a failover. ' +
      '`target_session_attrs` is `read-write` then, unless the URL has `primary` or `any`.',
  },
  DATABASE_OWNER_URL: {
    schema: databaseUrl,
    default: '',
    meaning:
      'URL of the same database as the role that owns the tables, for migrations. The role of `DATABASE_URL` then owns no tables ' +
      'and cannot change the audit log. Unset: `DATABASE_URL`, whose role owns the tables.',
  },
  DATABASE_READ_URL: {
    schema: standbyUrl,
    default: '',
    meaning:
      'URL of one or several standbys of `DATABASE_URL`, for reads. Reads that must see newer data go to the primary; ' +
      '[Scaling out](/guides/scaling-out.md) describes when.',
  },
  DATABASE_READ_LAG_MS: {
    schema: wholeNumber(1_000, 60_000),
    default: '5000',
    meaning: 'Maximum lag of a standby that serves reads, in milliseconds.',
  },
  DATABASE_POOLER: {
    schema: z.enum(['none', 'transaction']),
    default: 'none',
    meaning:
      'Whether `DATABASE_URL` is a connection pooler in transaction mode, such as PgBouncer. With `transaction`, the service ' +
      'uses no prepared statements and no session settings; [Scaling out](/guides/scaling-out.md) shows what the role needs.',
  },
  DATABASE_DIRECT_URL: {
    schema: databaseUrl,
    default: '',
    meaning:
      'URL of the same database without the pooler, for notifications, the job queue and migrations. Required with `DATABASE_POOLER=transaction`.',
  },
  MIGRATE: {
    schema: z.enum(['embedded', 'always', 'never']),
    default: 'embedded',
    meaning:
      'Which database is migrated at each start and by commands: `embedded` only, `always` also that of `DATABASE_URL`, or ' +
      '`never`. Otherwise run `commerce migrate`.',
  },
  LOG_LEVEL: {
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    default: 'info',
    meaning: 'Lowest level that is logged: trace, debug, info, warn, error, fatal or silent.',
  },
  NODE_ENV: {
    schema: z.enum(['development', 'production', 'test']),
    default: 'development',
    meaning:
      'With `production`, no demo data is created, webhooks go to public addresses only, and `DATABASE_URL` requires `ENCRYPTION_KEY`.',
  },
  TRUSTED_PROXIES: {
    schema: wholeNumber(0, 10),
    default: '0',
    meaning: 'Number of reverse proxies in front of the service whose `X-Forwarded-For` entries are trusted.',
  },
  RATE_LIMITS: {
    schema: rateLimits,
    default: formatRateLimits(defaultRateLimits),
    meaning:
      'Requests and seconds in which they refill, per token and class of operations, failed authentications per address, and ' +
      'concurrent requests per token. Limits that are left out keep their default. `off` disables all of them.',
  },
  RUN: {
    schema: z.enum(['all', 'api', 'worker']),
    default: 'all',
    meaning:
      'Role of this process: `api` serves requests, `worker` delivers webhooks and runs scheduled jobs, `all` does both.',
  },
  PROCESSES: {
    schema: wholeNumber(1, processesMax),
    default: '1',
    meaning:
      'Number of API processes on `PORT`, also set by `npm start -- --processes N`. With two or more, the first process only starts ' +
      'them, and runs the worker unless `RUN=api`. Linux or FreeBSD only. Their management ports follow `MANAGEMENT_PORT`.',
  },
  TEST_STEP_SECONDS: {
    schema: wholeNumber(1, 3600),
    default: String(stepSeconds),
    meaning:
      'Duration of each delivery step of the fastest simulated carrier in test mode; the other carriers take proportionally longer.',
  },
  WEBHOOK_PACE_SECONDS: {
    schema: z
      .string()
      .regex(/^\d{1,4}(,\d{1,4})*$/, { error: 'must be whole seconds, separated by commas' })
      .transform((text) => text.split(',').map(Number)),
    default: webhookPacesSeconds.join(','),
    meaning:
      'Delays between first attempts to a failing endpoint, after one, two, … consecutive failures; the last value ' +
      'applies to all further failures. `0` means no delay.',
  },
  ENCRYPTION_KEY: {
    schema: z
      .string()
      .transform(keysOf)
      .refine((keys) => keys.every((key) => key.length === encryptionKeyBytes), {
        error: `must be ${encryptionKeyBytes} bytes in base64`,
      }),
    default: '',
    meaning:
      'Key of 32 bytes in base64 that encrypts the merchants’ secrets. The embedded PostgreSQL gets a key file in `DATA_DIR`; ' +
      'with `DATABASE_URL` the key is required as soon as a secret is stored, in production from the start. To rotate it, set the new key, a comma, and the old key.',
  },
  SMTP_URL: {
    schema: smtpUrl,
    default: '',
    meaning:
      'SMTP server for notifications by e-mail, such as `smtps://user:password@smtp.example.com`. `smtp://` requires STARTTLS, ' +
      'except on this machine. Unset: no e-mails with `production`, otherwise files in `DATA_DIR`.',
  },
  MAIL_FROM: {
    schema: z.string().refine((text) => z.email().safeParse(senderForm.exec(text)?.slice(1).find(Boolean)).success, {
      error: 'must be an e-mail address, or a name and an address such as Commerce <notifications@example.com>',
    }),
    default: 'Commerce Service <notifications@localhost.invalid>',
    meaning: 'Sender of e-mails. Required with `SMTP_URL`.',
  },
  PAYSTACK_URL: {
    schema: partnerUrl,
    default: 'https://api.paystack.co',
    meaning: 'Base URL of Paystack’s API. For tests, a URL on this machine; not with `production`.',
  },
  CHOWDECK_URL: {
    schema: partnerUrl,
    default: 'https://api.relay.chowdeck.com/relay',
    meaning: 'Base URL of Chowdeck Relay’s API. Older accounts use https://api.chowdeck.com/relay.',
  },
  FEZ_URL: {
    schema: partnerUrl,
    default: 'https://api.fezdelivery.co/v1',
    meaning: 'Base URL of Fez Delivery’s API. Its sandbox is https://apisandbox.fezdelivery.co/v1.',
  },
  SHIPBUBBLE_URL: {
    schema: partnerUrl,
    default: 'https://api.shipbubble.com/v1',
    meaning: 'Base URL of Shipbubble’s API. The account’s API key selects live or sandbox.',
  },
  WEBHOOK_ALLOW_LOOPBACK: {
    schema: z.enum(['true', 'false', '']),
    default: '',
    meaning:
      'Whether webhooks may be sent to this machine over plain HTTP, for development. Unset: only with the embedded ' +
      'PostgreSQL. Never with `production`.',
  },
  WEBHOOK_REFUSED_NETWORKS: {
    schema: z
      .string()
      .transform(partsOf)
      .pipe(
        z.array(
          z.union([z.cidrv4(), z.cidrv6()], {
            error: 'must be networks in CIDR notation, such as 192.0.2.0/24, separated by commas',
          }),
        ),
      ),
    default: '',
    meaning:
      'Public networks that webhooks must not reach either: your own public addresses, your cloud’s ' +
      'ranges, your NAT64 prefix. Separated by commas, such as `192.0.2.7/32, 2001:db8::/32`. Non-public networks are always refused.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: z
      .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })
      .transform((url) => url.replace(/\/$/, ''))
      .or(z.literal('')),
    default: '',
    meaning:
      'Base URL of an OpenTelemetry collector, such as `http://127.0.0.1:4318`, which gets traces as JSON at `/v1/traces`. ' +
      'Unset: no traces.',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: z.string().transform((text, context) => {
      const headers = headersOf(text)
      if (headers !== undefined) return headers
      context.addIssue({ code: 'custom', message: 'must be headers such as name=value, separated by commas' })
      return z.NEVER
    }),
    default: '',
    meaning: 'Headers of each export, such as a token: `name=value`, separated by commas, with percent-encoded values.',
  },
  OTEL_SERVICE_NAME: {
    schema: z.string().regex(/^[\w.-]{1,100}$/, { error: 'must be up to 100 letters, digits, dots and hyphens' }),
    default: 'commerce-service',
    meaning: 'Name of the service in traces.',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: z
      .string()
      .regex(/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/, { error: 'must be a number from 0 to 1, such as 0.05' })
      .transform(Number),
    default: '1',
    meaning: 'Share of the traces that are recorded, from 0 to 1.',
  },
} as const

type Settings = typeof settings

/** Export of traces to an OTLP endpoint. */
export interface TracingConfig {
  /** Without a trailing slash. */
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
  /** Time between the failure of the readiness and the end of accepting connections. */
  readonly drainSeconds: number
  /** Origin for links; undefined for the origin that each request was sent to. */
  readonly publicUrl: string | undefined
  readonly dataDirectory: string
  /** URL of the PostgreSQL server; undefined for the embedded one. */
  readonly databaseUrl: string | undefined
  /** URL of the same database as the owner of the tables; undefined if the role of `databaseUrl` owns them. */
  readonly databaseOwnerUrl: string | undefined
  /** URL of standbys for reads; undefined if the primary serves all reads. */
  readonly databaseReadUrl: string | undefined
  readonly databaseReadLagMs: number
  /** URL of the same database without the pooler; undefined if `databaseUrl` is no pooler. */
  readonly databaseDirectUrl: string | undefined
  readonly logLevel: z.output<Settings['LOG_LEVEL']['schema']>
  readonly isProduction: boolean
  readonly trustedProxies: number
  readonly role: 'all' | 'api' | 'worker'
  /** Number of API processes. With one, this process serves the API itself. */
  readonly processes: number
  readonly rateLimits: RateLimits | 'off'
  /** Duration of each delivery step of the fastest simulated carrier. */
  readonly testStepSeconds: number
  readonly webhookPacesSeconds: readonly number[]
  /** The first key seals, every key opens. */
  readonly encryptionKeys: readonly Buffer[]
  /** Undefined if no SMTP server is configured. */
  readonly smtpServer: ReturnType<typeof smtpServerOf> | undefined
  readonly mailFrom: string
  readonly paystackUrl: string
  readonly carrierRoots: { readonly chowdeck: string; readonly fez: string; readonly shipbubble: string }
  readonly migratesAtStart: boolean
  readonly allowsLoopbackReceivers: boolean
  /** In CIDR notation. Non-public networks are always refused. */
  readonly webhookRefusedNetworks: readonly string[]
  /** Undefined if no endpoint for traces is configured. */
  readonly tracing: TracingConfig | undefined
}

export class ConfigError extends Error {}

/** Zod's message for a union that declares none. */
const unionMessage = 'Invalid input'

/** Returns the message of an issue. A union without a message of its own has that of its first schema. */
function messageOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'invalid_union' && issue.message === unionMessage) return messageOf(issue.errors[0]?.[0])
  return issue?.message ?? 'is not valid'
}

/** Reads who runs this command. */
export function readOperatorOrigin(): OperatorOrigin {
  return operatorOriginOf(process.env)
}

/** Reads the configuration; arguments replace variables. Throws one ConfigError with a line for each problem. */
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
    faults.push('DATABASE_OWNER_URL requires DATABASE_URL, the same database as the role of the service')
  const databaseReadUrl = read('DATABASE_READ_URL', settings.DATABASE_READ_URL) || undefined
  if (databaseReadUrl !== undefined && databaseUrl === undefined)
    faults.push('DATABASE_READ_URL requires DATABASE_URL, the primary of the standbys')
  const isPooled = read('DATABASE_POOLER', settings.DATABASE_POOLER) === 'transaction'
  const databaseDirectUrl = read('DATABASE_DIRECT_URL', settings.DATABASE_DIRECT_URL) || undefined
  if (isPooled && databaseUrl === undefined)
    faults.push('DATABASE_POOLER=transaction requires DATABASE_URL, the pooler')
  if (isPooled !== (databaseDirectUrl !== undefined))
    faults.push('DATABASE_POOLER=transaction and DATABASE_DIRECT_URL require each other')
  const isProduction = read('NODE_ENV', settings.NODE_ENV) === 'production'
  const isEmbedded = databaseUrl === undefined
  const migrate = read('MIGRATE', settings.MIGRATE)
  const loopback = read('WEBHOOK_ALLOW_LOOPBACK', settings.WEBHOOK_ALLOW_LOOPBACK)
  if (isProduction && loopback === 'true') faults.push('WEBHOOK_ALLOW_LOOPBACK must not be true in production')
  const smtpServer = read('SMTP_URL', settings.SMTP_URL)
  if (smtpServer !== undefined && (environment.MAIL_FROM ?? '') === '')
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
    paystackUrl: read('PAYSTACK_URL', settings.PAYSTACK_URL),
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

/** Returns the faults of several API processes, each of which has a management port after that of the first process. */
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

/** Returns the connection strings of the configured server as both roles; undefined for the embedded server. */
export function configuredRoles({ databaseUrl, databaseOwnerUrl, databaseDirectUrl }: Config) {
  if (databaseUrl === undefined) return undefined
  return {
    connectionString: databaseUrl,
    ownerConnectionString: databaseOwnerUrl ?? databaseDirectUrl ?? databaseUrl,
    directConnectionString: databaseDirectUrl,
  }
}

/**
 * Throws a ConfigError when a production service on its own database server has no encryption key. Without the key it
 * would start and then fail at the first secret. The embedded PostgreSQL has a key file in DATA_DIR.
 */
export function requireEncryptionKey({ isProduction, databaseUrl, encryptionKeys }: Config): void {
  if (!isProduction || databaseUrl === undefined || encryptionKeys.length > 0) return
  throw new ConfigError(
    'Configuration: ENCRYPTION_KEY must be set in production with DATABASE_URL. Make one with `openssl rand -base64 32`.',
  )
}
