import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { stagesOf } from '../../../scripts/deploy/containerfile.ts'
import { readConfig } from '../../../src/base/config.ts'
import { settings } from '../../../src/base/settings.ts'
import { filled } from '../../support/deploy/filled.ts'
import { type Node, objectsIn, textsIn, valuesOf, variablesIn } from '../../support/deploy/nodes.ts'
import { environmentWith, unitOf } from '../../support/deploy/units.ts'

/**
 * Tests that each process of the deployment files starts with the settings that the operator changes. All processes
 * share the file or object in which the operator sets them, so each process must accept the settings of the others.
 */

const folder = 'scripts/deploy'
const read = (name: string) => readFile(`${folder}/${name}`, 'utf8')

const image = stagesOf(await read('Containerfile')).at(-1)?.environment ?? {}
const compose: Node = parse(await read('compose.yml'), { merge: true })
const services = ['migrate', 'api', 'worker'].map((name) => {
  const { environment } = valuesOf(valuesOf(compose.services)[name])
  return { name, environment: textsIn(environment) }
})
const resources: readonly Node[] = parseAllDocuments(await read('kubernetes.yml')).map((each) => each.toJS())
const containers = resources.flatMap((resource) => objectsIn(resource, 'containers'))
const units = await Promise.all(
  (await readdir(`${folder}/systemd`)).map(async (name) => ({ name, ...unitOf(await read(`systemd/${name}`)) })),
)

/** A value for each setting that an operator may set in compose.env. Each differs from the default of its setting. */
const changed: Readonly<Record<string, string>> = {
  CHOWDECK_URL: 'https://chowdeck.example.com/relay',
  DATABASE_READ_LAG_MS: '2000',
  DATABASE_READ_URL: 'postgres://commerce_service:service@standby:5432/commerce',
  DRAIN_SECONDS: '5',
  ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
  FEZ_URL: 'https://fez.example.com/v1',
  FLUTTERWAVE_URL: 'https://flutterwave.example.com/v3',
  LOG_LEVEL: 'warn',
  MAIL_FROM: 'Commerce <notifications@example.com>',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example.com',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc',
  OTEL_SERVICE_NAME: 'shop',
  OTEL_TRACES_SAMPLER_ARG: '0.05',
  PAYSTACK_URL: 'https://paystack.example.com',
  PROCESSES: '2',
  PUBLIC_URL: 'https://api.example.com',
  RATE_LIMITS: 'off',
  SHIPBUBBLE_URL: 'https://shipbubble.example.com/v1',
  SMTP_URL: 'smtps://user:password@smtp.example.com',
  TEST_STEP_SECONDS: '5',
  TRUSTED_PROXIES: '2',
  WEBHOOK_PACE_SECONDS: '1,2',
  WEBHOOK_REFUSED_NETWORKS: '192.0.2.0/24',
}

/** Settings without a default value that compose.yml requires. */
const required = ['ENCRYPTION_KEY', 'PUBLIC_URL', 'TRUSTED_PROXIES']

test('the changed settings contain every setting that an operator may set in compose.env, each with a value other than its default', () => {
  // The image, compose.yml or the environment of production sets these environment variables. Pooler settings are
  // excluded, because the database of compose.yml has no pooler.
  const fixed = ['PORT', 'HOST', 'MANAGEMENT_PORT', 'MANAGEMENT_HOST', 'NODE_ENV', 'RUN', 'MIGRATE', 'DATA_DIR']
  const database = ['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_POOLER', 'DATABASE_DIRECT_URL']
  const excluded = [...fixed, ...database, 'WEBHOOK_ALLOW_LOOPBACK']
  const operable = Object.entries(settings).filter(([name]) => !excluded.includes(name))
  expect(Object.keys(changed)).toEqual(operable.map(([name]) => name).toSorted())
  for (const [name, { default: standard }] of operable) expect([name, changed[name]]).not.toEqual([name, standard])
})

describe.for(services)('the Compose service $name', ({ name: service, environment }) => {
  // Only the service `api` gets `PROCESSES`, the number of API processes: the worker rejects it, and the migration
  // starts no API process.
  const passed = Object.entries(settings).filter(
    ([name]) => Object.hasOwn(changed, name) && (name !== 'PROCESSES' || service === 'api'),
  )

  test('the service receives every changed setting, and accepts all of them together', () => {
    const given = filled(environment, changed)
    for (const [name] of passed) expect([name, given[name]]).toEqual([name, changed[name]])
    expect(readConfig({ ...image, ...given })).toMatchObject({ drainSeconds: 5, processes: service === 'api' ? 2 : 1 })
  })

  test('the service gets the default value of every setting that compose.env does not contain', () => {
    const given = filled(environment)
    for (const [name, { default: standard }] of passed.filter(([each]) => !required.includes(each)))
      expect([name, given[name]]).toEqual([name, standard])
    for (const name of required) expect(environment[name]).toBe(`\${${name}:?Set ${name} in compose.env}`)
  })

  test('the service rejects an SMTP_URL without a MAIL_FROM', () => {
    const given = filled(environment, { SMTP_URL: 'smtps://smtp.example.com' })
    expect(() => readConfig({ ...image, ...given })).toThrow('MAIL_FROM is required with SMTP_URL')
  })
})

/**
 * The settings that all pods, or all systemd units, share. `changed` has no DATABASE_URL, because compose.yml sets this
 * variable.
 */
const shared = { ...changed, DATABASE_URL: 'postgres://commerce_service:service@database:5432/commerce' }

// Kubernetes reads `env` after `envFrom`, so values in `env` take precedence.
test('every Kubernetes container accepts the changed settings in the `envFrom` objects that all pods share', () => {
  const given = containers.map(({ name, env }) => ({ name, environment: { ...image, ...shared, ...variablesIn(env) } }))
  const numbers = given.map(({ name, environment }) => [name, readConfig(environment).processes])
  expect(numbers).toEqual([
    ['migrate', 2],
    ['api', 2],
    ['worker', 1],
  ])
})

test.for([
  'commerce-api@.service',
  'commerce-worker.service',
])('the systemd unit %s accepts the changed settings in service.env, and runs one process', (name) => {
  expect(readConfig(filled(environmentWith(unitNamed(name), shared))).processes).toBe(1)
})

/** Values that would make a worker an API process, an API process a worker, and a production process a test process. */
const hostile = { NODE_ENV: 'development', RUN: 'all', PORT: '3999', MANAGEMENT_PORT: '13999' }

test.for([
  ['commerce-api@.service', { NODE_ENV: 'production', RUN: 'api', PORT: '3001', MANAGEMENT_PORT: '13001' }],
  ['commerce-worker.service', { NODE_ENV: 'production', RUN: 'worker', MANAGEMENT_PORT: '13000' }],
  ['commerce-migrate.service', { NODE_ENV: 'production' }],
] as const)('service.env cannot override the environment variables that the systemd unit %s sets', ([name, own]) => {
  expect(filled(environmentWith(unitNamed(name), hostile))).toMatchObject(own)
})

function unitNamed(name: string): (typeof units)[number] {
  const unit = units.find((each) => each.name === name)
  if (unit === undefined) throw new Error(`There is no unit ${name}.`)
  return unit
}
