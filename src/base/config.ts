import { z } from 'zod'
import { stepSeconds } from '../../registry/service/test-carriers.ts'
import { webhookPacesSeconds } from '../../registry/values/limits.ts'

/** Whether the authority of an address lists hosts. A password, which comes before the last @, may hold a comma. */
function hasSeveralHosts(address: string): boolean {
  const [, authority = ''] = /^[^/]*\/\/([^/?#]*)/.exec(address) ?? []
  return authority.slice(authority.lastIndexOf('@') + 1).includes(',')
}

/**
 * The service's configuration, all of it optional, from the environment. This is the only reader of process.env,
 * and the README's table is written from the declarations below.
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

/** AES-256 takes no other length. */
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

/** Plain http:// gets only as far as this machine, for tests. */
const partnerUrl = z.url({ protocol: /^https?$/, error: 'must be an https:// address' })

export const settings = {
  PORT: {
    schema: wholeNumber(0, 65535),
    standard: '3000',
    meaning: 'Port of the API; 0 takes a free one.',
  },
  HOST: {
    schema: z.string().min(1),
    standard: '127.0.0.1',
    meaning: 'Address the API listens on.',
  },
  PUBLIC_URL: {
    schema: z
      .url({ protocol: /^https?$/, error: 'must be an origin, such as https://api.example.com' })
      .refine((url) => URL.parse(url)?.origin === url.replace(/\/$/, ''), {
        error: 'must be an origin without a path, such as https://api.example.com',
      })
      .transform((url) => new URL(url).origin)
      .or(z.literal('')),
    standard: '',
    meaning:
      'Origin under which clients reach the service, for links and samples; left out, the one that a request was sent to.',
  },
  DATA_DIR: {
    schema: z.string().min(1),
    standard: '.data',
    meaning: 'Folder of the embedded PostgreSQL.',
  },
  DATABASE_URL: {
    schema: z
      .string()
      .refine((text) => !hasSeveralHosts(text), {
        error: 'must name one host: put a proxy or an address that moves in front of several servers',
        abort: true,
      })
      .pipe(z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' }).or(z.literal(''))),
    standard: '',
    meaning: 'A PostgreSQL server, 15 or newer, to use instead of the embedded one.',
  },
  MIGRATE: {
    schema: z.enum(['embedded', 'always', 'never']),
    standard: 'embedded',
    meaning:
      'Which database is migrated at a start and by commands: the embedded one, `always` that of `DATABASE_URL` too, or ' +
      '`never`. Elsewhere `commerce migrate` does it.',
  },
  LOG_LEVEL: {
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    standard: 'info',
    meaning: 'Least severe log line that is written: trace, debug, info, warn, error, fatal or silent.',
  },
  NODE_ENV: {
    schema: z.enum(['development', 'production', 'test']),
    standard: 'development',
    meaning:
      'With `production` there is no demo, webhooks go to public addresses only, and `DATABASE_URL` requires `ENCRYPTION_KEY`.',
  },
  TRUSTED_PROXIES: {
    schema: wholeNumber(0, 10),
    standard: '0',
    meaning: 'Number of proxies in front whose X-Forwarded-For entries are believed.',
  },
  RUN: {
    schema: z.enum(['all', 'api', 'worker']),
    standard: 'all',
    meaning:
      'What this process does: `api` serves requests, `worker` delivers webhooks and does scheduled work, `all` both.',
  },
  TEST_STEP_SECONDS: {
    schema: wholeNumber(1, 3600),
    standard: String(stepSeconds),
    meaning:
      'How long each step of a made-up rider takes in test mode, of the quickest carrier; the others take longer in proportion.',
  },
  WEBHOOK_PACE_SECONDS: {
    schema: z
      .string()
      .regex(/^\d{1,4}(,\d{1,4})*$/, { error: 'must be whole seconds, separated by commas' })
      .transform((text) => text.split(',').map(Number)),
    standard: webhookPacesSeconds.join(','),
    meaning:
      'How long first attempts to an endpoint wait after its first, second … failure in a row; the last holds from ' +
      'there on. `0` sends without a pause.',
  },
  ENCRYPTION_KEY: {
    schema: z
      .string()
      .transform(keysOf)
      .refine((keys) => keys.every((key) => key.length === encryptionKeyBytes), {
        error: `must be ${encryptionKeyBytes} bytes in base64`,
      }),
    standard: '',
    meaning:
      'Key of 32 bytes in base64 that seals the merchants’ secrets. The embedded PostgreSQL gets a key file beside it; ' +
      'with `DATABASE_URL` it is needed as soon as a secret is stored, in production from the start. To change it, write the new key, a comma, the old one.',
  },
  PAYSTACK_URL: {
    schema: partnerUrl,
    standard: 'https://api.paystack.co',
    meaning: 'Root of Paystack’s API. Another one is for tests: on this machine, and not with `production`.',
  },
  CHOWDECK_URL: {
    schema: partnerUrl,
    standard: 'https://api.relay.chowdeck.com/relay',
    meaning: 'Root of Chowdeck Relay’s API; older accounts have https://api.chowdeck.com/relay.',
  },
  FEZ_URL: {
    schema: partnerUrl,
    standard: 'https://api.fezdelivery.co/v1',
    meaning: 'Root of Fez Delivery’s API; its sandbox is https://apisandbox.fezdelivery.co/v1.',
  },
  SHIPBUBBLE_URL: {
    schema: partnerUrl,
    standard: 'https://api.shipbubble.com/v1',
    meaning: 'Root of Shipbubble’s API. The key of an account says whether it is its sandbox.',
  },
  WEBHOOK_ALLOW_LOOPBACK: {
    schema: z.enum(['true', 'false', '']),
    standard: '',
    meaning:
      'Whether webhooks may go to this machine over plain HTTP, for development. Unset: with the embedded PostgreSQL ' +
      'only. Never with `production`.',
  },
  WEBHOOK_REFUSED_NETWORKS: {
    schema: z
      .string()
      .transform(partsOf)
      .pipe(
        z.array(
          z.union([z.cidrv4(), z.cidrv6()], {
            error: 'must be networks in CIDR form, such as 192.0.2.0/24, with commas between',
          }),
        ),
      ),
    standard: '',
    meaning:
      'Networks that webhooks must not reach, beside all that are not public: your own public addresses, your cloud’s ' +
      'ranges, your NAT64’s prefix. Separated by commas, such as `192.0.2.7/32, 2001:db8::/32`.',
  },
} as const

type Settings = typeof settings
type Name = keyof Settings

export interface Config {
  readonly port: number
  readonly host: string
  /** Undefined means the origin that a request was sent to. */
  readonly publicUrl: string | undefined
  readonly dataDirectory: string
  /** Undefined means the embedded PostgreSQL. */
  readonly databaseUrl: string | undefined
  readonly logLevel: z.output<Settings['LOG_LEVEL']['schema']>
  readonly isProduction: boolean
  readonly trustedProxies: number
  readonly role: 'all' | 'api' | 'worker'
  /** How long a step of a made-up rider takes. */
  readonly testStepSeconds: number
  readonly webhookPacesSeconds: readonly number[]
  /** The first one seals, all of them open. */
  readonly encryptionKeys: readonly Buffer[]
  readonly paystackUrl: string
  readonly carrierRoots: { readonly chowdeck: string; readonly fez: string; readonly shipbubble: string }
  readonly migratesAtStart: boolean
  readonly allowsLoopbackReceivers: boolean
  /** In CIDR form, beside what is refused anyway. */
  readonly webhookRefusedNetworks: readonly string[]
}

export class ConfigError extends Error {}

/** Reads all of it; throws one ConfigError that names every setting that is wrong. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const faults: string[] = []
  const read = <Schema extends z.ZodType>(name: Name, setting: { schema: Schema; standard: string }) => {
    const result = setting.schema.safeParse(environment[name] ?? setting.standard)
    if (result.success) return result.data
    faults.push(`${name} ${result.error.issues[0]?.message ?? 'is not valid'}`)
    return setting.schema.parse(setting.standard)
  }
  const databaseUrl = read('DATABASE_URL', settings.DATABASE_URL) || undefined
  const isProduction = read('NODE_ENV', settings.NODE_ENV) === 'production'
  const isEmbedded = databaseUrl === undefined
  const migrate = read('MIGRATE', settings.MIGRATE)
  const loopback = read('WEBHOOK_ALLOW_LOOPBACK', settings.WEBHOOK_ALLOW_LOOPBACK)
  if (isProduction && loopback === 'true') faults.push('WEBHOOK_ALLOW_LOOPBACK must not be true in production')
  const config: Config = {
    port: read('PORT', settings.PORT),
    host: read('HOST', settings.HOST),
    publicUrl: read('PUBLIC_URL', settings.PUBLIC_URL) || undefined,
    dataDirectory: read('DATA_DIR', settings.DATA_DIR),
    databaseUrl,
    logLevel: read('LOG_LEVEL', settings.LOG_LEVEL),
    isProduction,
    trustedProxies: read('TRUSTED_PROXIES', settings.TRUSTED_PROXIES),
    role: read('RUN', settings.RUN),
    testStepSeconds: read('TEST_STEP_SECONDS', settings.TEST_STEP_SECONDS),
    webhookPacesSeconds: read('WEBHOOK_PACE_SECONDS', settings.WEBHOOK_PACE_SECONDS),
    encryptionKeys: read('ENCRYPTION_KEY', settings.ENCRYPTION_KEY),
    paystackUrl: read('PAYSTACK_URL', settings.PAYSTACK_URL),
    carrierRoots: {
      chowdeck: read('CHOWDECK_URL', settings.CHOWDECK_URL),
      fez: read('FEZ_URL', settings.FEZ_URL),
      shipbubble: read('SHIPBUBBLE_URL', settings.SHIPBUBBLE_URL),
    },
    migratesAtStart: migrate === 'always' || (migrate === 'embedded' && isEmbedded),
    allowsLoopbackReceivers: !isProduction && (loopback === 'true' || (loopback === '' && isEmbedded)),
    webhookRefusedNetworks: read('WEBHOOK_REFUSED_NETWORKS', settings.WEBHOOK_REFUSED_NETWORKS),
  }
  if (faults.length > 0) throw new ConfigError(`Configuration: ${faults.join('; ')}.`)
  return config
}

/**
 * A service in production that shares its database must not start without a key: it would accept work until the first
 * secret, and fail there. The embedded PostgreSQL has a key file beside it.
 */
export function requireEncryptionKey({ isProduction, databaseUrl, encryptionKeys }: Config): void {
  if (!isProduction || databaseUrl === undefined || encryptionKeys.length > 0) return
  throw new ConfigError(
    'Configuration: ENCRYPTION_KEY must be set in production with DATABASE_URL. Make one with `openssl rand -base64 32`.',
  )
}
