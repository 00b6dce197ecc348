import { z } from 'zod'
import { stepSeconds } from '../../registry/service/test-carriers.ts'
import { webhookPacesSeconds } from '../../registry/values/limits.ts'
import { defaultRateLimits } from '../../registry/values/rate-limits.ts'
import { formatRateLimits } from './rate-limits.ts'
import {
  databaseUrl,
  encryptionKeyBytes,
  headersOf,
  keysOf,
  partnerUrl,
  partsOf,
  portMax,
  processesMax,
  rateLimits,
  senderForm,
  smtpUrl,
  standbyUrl,
  wholeNumber,
} from './setting-schemas.ts'

/** The environment variables of the service, all of them optional. The Configuration guide has a table of them. */
export const settings = {
  PORT: {
    schema: wholeNumber(0, portMax),
    default: '3000',
    meaning: 'Port of the API. 0 selects any free port.',
  },
  HOST: {
    schema: z.string().min(1),
    default: '127.0.0.1',
    meaning: 'Network address on which the API listens.',
  },
  MANAGEMENT_PORT: {
    schema: z
      .string()
      .regex(/^\d*$/, { error: 'must be a whole number' })
      .transform((text) => (text === '' ? undefined : Number(text)))
      .refine((port) => port === undefined || port <= portMax, { error: `must be at most ${portMax}` }),
    default: '',
    meaning:
      'Port of the health checks `/livez` and `/readyz`, in every role. 0 selects any free port. The port needs no token, so it must not ' +
      'be public. If unset, only the API’s port serves the health checks.',
  },
  MANAGEMENT_HOST: {
    schema: z.string().min(1, { error: 'must be an address' }),
    default: '127.0.0.1',
    meaning: 'Address that `MANAGEMENT_PORT` listens on.',
  },
  DRAIN_SECONDS: {
    schema: wholeNumber(0, 300),
    // By default, a stopping process serves requests for three more seconds. Load balancers such as HAProxy and
    // Kubernetes notice within two seconds that `/readyz` fails, if they probe every second and react to the second
    // failure.
    default: '3',
    meaning:
      'Time for which a stopping process still serves requests after `/readyz` fails, so that load balancers stop sending them. ' +
      'A process whose `/readyz` was not read within the last minute stops without this delay.',
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
      'Public origin of the service, for links and samples. If unset, links use the origin of each request, and e-mails name ' +
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
      '`target_session_attrs` is then `read-write`, unless the URL sets it to `primary` or `any`.',
  },
  DATABASE_OWNER_URL: {
    schema: databaseUrl,
    default: '',
    meaning:
      'URL for migrations: the same database, with the role that owns the tables. The role of `DATABASE_URL` then owns no tables ' +
      'and cannot change the audit log. If unset, `DATABASE_URL` is used, whose role then owns the tables.',
  },
  DATABASE_READ_URL: {
    schema: standbyUrl,
    default: '',
    meaning:
      'URL of one or several standbys of `DATABASE_URL`, for reads. Reads that must see newer data go to the primary; ' +
      '[Scaling out](/guides/scaling-out.md) describes when. With a distributed database, the service does not start.',
  },
  DATABASE_READ_LAG_MS: {
    schema: wholeNumber(1_000, 60_000),
    default: '5000',
    meaning: 'Maximum replication lag of a standby that serves reads, in milliseconds.',
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
      'Rate limits: requests and the seconds in which the quota refills, per token and class of operations; failed authentications per address; and ' +
      'concurrent requests per token. Limits that are left out keep their default. `off` disables all rate limits.',
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
      'them, and runs the worker unless `RUN=api`. Requires Linux or FreeBSD. The management ports of the API processes follow `MANAGEMENT_PORT`.',
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
      'Delays in seconds between new deliveries (first attempts) to a failing endpoint, after one, two, … consecutive failures; the last value ' +
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
      'with `DATABASE_URL` the key is required as soon as a secret is stored, in production from the start. [Operations](/guides/operations.md) describes how to rotate it.',
  },
  SMTP_URL: {
    schema: smtpUrl,
    default: '',
    meaning:
      'SMTP server that sends notifications by e-mail, such as `smtps://user:password@smtp.example.com`. `smtp://` requires STARTTLS, ' +
      'except on this machine. If unset, no e-mails are sent with `production`; otherwise they are files in `DATA_DIR`.',
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
    meaning:
      'Base URL of Paystack’s API. Tests can set a URL on this machine. With `NODE_ENV=production`, requests to such a URL are refused.',
  },
  FLUTTERWAVE_URL: {
    schema: partnerUrl,
    default: 'https://api.flutterwave.com/v3',
    meaning:
      'Base URL of Flutterwave’s API. Tests can set a URL on this machine. With `NODE_ENV=production`, requests to such a URL are refused.',
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
      'Whether webhooks may be sent to this machine over plain HTTP, for development. If unset, only with the embedded ' +
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
      'Public networks to which no webhooks are sent: your own public addresses, your cloud’s ' +
      'ranges, your NAT64 prefix. Separated by commas, such as `192.0.2.7/32, 2001:db8::/32`. Webhooks are never sent to non-public networks.',
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
    meaning:
      'HTTP headers of each export of traces, such as a token: `name=value`, separated by commas, with percent-encoded values.',
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

export type Settings = typeof settings
