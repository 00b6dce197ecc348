import { expect, test } from 'vitest'
import { settingsOf } from '../../src/app/command-line.ts'
import { ConfigError, readConfig } from '../../src/base/config.ts'
import { settings } from '../../src/base/settings.ts'

test.for([
  'postgres://shop:a,b@127.0.0.1:5432/commerce',
  'postgres://127.0.0.1/commerce?options=a,b',
])('a comma in the password or an option of DATABASE_URL does not separate hosts: %s', (DATABASE_URL) => {
  expect(readConfig({ DATABASE_URL }).databaseUrl).toBe(DATABASE_URL)
})

test.for([
  'postgres://a:5432,b:5432/commerce',
  'postgres://shop:secret@a,b/commerce',
])('DATABASE_URL may have several hosts: %s', (DATABASE_URL) => {
  expect(readConfig({ DATABASE_URL }).databaseUrl).toBe(DATABASE_URL)
})

test.for([
  [{}, undefined],
  [{ MANAGEMENT_PORT: '' }, undefined],
  [{ MANAGEMENT_PORT: '9090' }, 9090],
  [{ MANAGEMENT_PORT: '0', PORT: '0' }, 0],
] as const)('with the environment variables %j, the management port is %s', ([environment, managementPort]) => {
  expect(readConfig(environment).managementPort).toBe(managementPort)
})

test.for([
  [{ MANAGEMENT_PORT: 'off' }, 'MANAGEMENT_PORT must be a whole number'],
  [{ MANAGEMENT_PORT: '65536' }, 'MANAGEMENT_PORT must be at most 65535'],
  [{ MANAGEMENT_PORT: '3000' }, 'MANAGEMENT_PORT must differ from PORT'],
] as const)('the configuration rejects the MANAGEMENT_PORT %j', ([environment, message]) => {
  expect(() => readConfig(environment)).toThrow(message)
})

test.for([
  [{ PROCESSES: '0' }, 'PROCESSES must be at least 1'],
  [{ PROCESSES: '65' }, 'PROCESSES must be at most 64'],
  [{ PROCESSES: '2', RUN: 'worker' }, 'PROCESSES requires RUN=all or RUN=api'],
  [{ PROCESSES: '2', MANAGEMENT_PORT: '65534' }, 'MANAGEMENT_PORT must be at most 65533 with PROCESSES=2'],
  [{ PROCESSES: '2', MANAGEMENT_PORT: '2998' }, 'PORT must not be one of the management ports 2998 to 3000'],
] as const)('the configuration rejects %j as the value of PROCESSES', ([environment, message]) => {
  expect(() => readConfig(environment)).toThrow(message)
})

test('--processes sets PROCESSES, and any other argument of the start command is rejected', () => {
  expect(settingsOf([])).toEqual({})
  expect(settingsOf(['--processes', '2'])).toEqual({ PROCESSES: '2' })
  for (const words of [['--processes'], ['--workers', '2'], ['2']]) {
    expect(() => settingsOf(words)).toThrow(new ConfigError('Usage: npm start -- [--processes N]'))
  }
})

test('traces are exported when OTEL_EXPORTER_OTLP_ENDPOINT is set', () => {
  expect(readConfig({}).tracing).toBeUndefined()
  expect(
    readConfig({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example.com/otlp/',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc, x-scope=shop',
      OTEL_TRACES_SAMPLER_ARG: '0.05',
    }).tracing,
  ).toEqual({
    endpoint: 'https://collector.example.com/otlp',
    headers: { authorization: 'Bearer abc', 'x-scope': 'shop' },
    serviceName: 'commerce-service',
    sampleRatio: 0.05,
  })
})

test.for([
  ['PUBLIC_URL', 'shop'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=a%0d%0ax: y'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
  ['OTEL_TRACES_SAMPLER_ARG', '-0.1'],
  ['OTEL_SERVICE_NAME', 'a service'],
] as const)('the configuration %s is rejected: %s', ([name, value]) => {
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`${name} must`))
})

const MAIL_FROM = 'Commerce <notifications@example.com>'

test.for([
  ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, isTls: false, credentials: null }],
  [
    'smtps://shop%40example.com:p%2Fw@mail.example.com',
    { host: 'mail.example.com', port: 465, isTls: true, credentials: { user: 'shop@example.com', pass: 'p/w' } },
  ],
  ['smtp://[::1]:2525/', { host: '::1', port: 2525, isTls: false, credentials: null }],
] as const)('the mail server is read from the SMTP_URL %s', ([SMTP_URL, server]) => {
  expect(readConfig({ SMTP_URL, MAIL_FROM })).toMatchObject({ smtpServer: server, mailFrom: MAIL_FROM })
})

test.for([
  'shop:p#w',
  'shop:p/w',
  'shop:p?w',
  'shop:p@#w',
  'shop@example.com:p#w',
])('an SMTP_URL with the user and password %s is rejected, and the error states the rule for passwords in URLs', (credentials) => {
  const SMTP_URL = `smtps://${credentials}@mail.example.com`
  expect(() => readConfig({ SMTP_URL, MAIL_FROM })).toThrow(
    'SMTP_URL must be an smtp:// or smtps:// address with percent-encoding in its password: %40 for @, %23 for #',
  )
})

test.for(['p@w', 'p@@w', 'p%w'])('SMTP_URL accepts the password %s without percent-encoding', (pass) => {
  const SMTP_URL = `smtps://shop:${pass}@mail.example.com`
  expect(readConfig({ SMTP_URL, MAIL_FROM }).smtpServer?.credentials).toEqual({ user: 'shop', pass })
})

test.for([
  'http://mail.example.com',
  'smtp://',
  'smtps://mail.example.com?tls.rejectUnauthorized=false',
  'smtps://mail.example.com/path',
  'smtps://mail.example.com#fragment',
])('the configuration rejects the SMTP_URL %s', (SMTP_URL) => {
  expect(() => readConfig({ SMTP_URL, MAIL_FROM })).toThrow(/SMTP_URL must/)
})

test.for([
  'notifications',
  'Shop <notifications>',
  'a@example.com, b@example.com',
  'Shop\r\nBcc: <a@example.com>',
  '"Shop" <a@example.com>',
])('the configuration rejects the MAIL_FROM address %s', (sender) => {
  expect(() => readConfig({ SMTP_URL: 'smtps://mail.example.com', MAIL_FROM: sender })).toThrow(/MAIL_FROM must/)
})

test.for([
  undefined,
  '',
  settings.MAIL_FROM.default,
])('if SMTP_URL is set, MAIL_FROM must be set to an address other than the default: %j is rejected', (sender) => {
  const environment = { SMTP_URL: 'smtps://mail.example.com', MAIL_FROM: sender }
  expect(() => readConfig(environment)).toThrow('MAIL_FROM is required with SMTP_URL')
})

test('the error for an invalid configuration has one line for each problem', () => {
  const lines = 'Configuration: PORT must be a whole number.\nConfiguration: DRAIN_SECONDS must be at most 300.'
  expect(() => readConfig({ PORT: 'eighty', DRAIN_SECONDS: '301' })).toThrow(new ConfigError(lines))
})
