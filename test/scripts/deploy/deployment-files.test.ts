import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { errorCodes } from '../../../registry/errors/index.ts'
import { endpoints } from '../../../registry/index.ts'
import { apiRoot, type Endpoint } from '../../../registry/kit/endpoint.ts'
import { stagesOf } from '../../../scripts/deploy/containerfile.ts'
import { nodeOptions } from '../../../scripts/start-command.ts'
import { stopLimitMs } from '../../../src/app/stops.ts'
import { readConfig } from '../../../src/base/config.ts'
import { settings } from '../../../src/base/settings.ts'
import { failureHeaders } from '../../../src/http/pipeline/respond.ts'
import { probeOf } from '../../../src/management/probes.ts'
import { Refusal, refusalBody } from '../../../src/operations/execute/refusal.ts'
import { filled } from '../../support/deploy/filled.ts'
import { keysIn, type Node, objectsIn, textsIn, valuesOf, variablesIn } from '../../support/deploy/nodes.ts'
import { unitOf } from '../../support/deploy/units.ts'

/**
 * Tests the files of scripts/deploy. No test can run them as a whole, because images, clusters and systemd are not
 * available to tests.
 */

const folder = 'scripts/deploy'
const read = (name: string) => readFile(`${folder}/${name}`, 'utf8')

const stages = stagesOf(await read('Containerfile'))
const image = stages.at(-1)
const compose: Node = parse(await read('compose.yml'), { merge: true })
const resources: readonly Node[] = parseAllDocuments(await read('kubernetes.yml')).map((each) => each.toJS())
const unitNames = await readdir(`${folder}/systemd`)
const units = await Promise.all(unitNames.map(async (name) => unitOf(await read(`systemd/${name}`))))

const haproxy = await read('haproxy.cfg')
const deploymentGuide = await readFile('registry/guides/deployment.md', 'utf8')

const services = ['migrate', 'api', 'worker'].map((name) => valuesOf(valuesOf(compose.services)[name]))
const containers = resources.flatMap((resource) => objectsIn(resource, 'containers'))

/** Environment variables that only Node.js reads. */
const nodeVariables = ['NODE_COMPILE_CACHE', 'HOME']

/** Environment variables that only the image of PostgreSQL and compose.yml read. */
const othersVariables = ['POSTGRES_PASSWORD', 'OWNER_PASSWORD', 'SERVICE_PASSWORD', 'SUPERUSER_PASSWORD']

describe('environment variables of the deployment files', () => {
  const named = {
    Containerfile: Object.keys(image?.environment ?? {}),
    'compose.yml': services.flatMap(({ environment }) => keysIn(environment)),
    'kubernetes.yml': [
      ...objectsIn(resources, 'env').map(({ name }) => String(name)),
      ...resources.filter(({ kind }) => kind === 'ConfigMap').flatMap(({ data }) => keysIn(data)),
    ],
    'systemd units': units.flatMap((unit) => Object.keys(unit.environment)),
  }
  test.for(Object.entries(named))('the service or Node.js reads every environment variable of %s', ([, names]) => {
    expect(names.length).toBeGreaterThan(0)
    expect(names.filter((name) => !nodeVariables.includes(name) && !Object.hasOwn(settings, name))).toEqual([])
  })

  test('the systemd units store the compile cache of Node.js in a folder of their own', () => {
    const running = units.filter((unit) => unit.values.Type === 'exec')
    const folders = running.map(({ values }) => values.CacheDirectory ?? '')
    expect(folders).toEqual(['commerce-api-%i', 'commerce-worker'])
    for (const [index, { values, environment }] of running.entries()) {
      expect(environment.NODE_COMPILE_CACHE).toBe(`%C/${folders[index]}`)
      expect(values.CacheDirectoryMode).toBe('0700')
    }
  })

  test('every environment variable of the container image, the Kubernetes pods, the Compose services and the systemd units has a valid value', () => {
    const given: Record<string, string>[] = [
      image?.environment ?? {},
      ...services.map(({ environment }) => textsIn(environment)),
      ...containers.map(({ env }) => variablesIn(env)),
      ...resources.filter(({ kind }) => kind === 'ConfigMap').map(({ data }) => textsIn(data)),
      ...units.map((unit) => unit.environment),
    ]
    for (const environment of given)
      expect(() => readConfig({ ...image?.environment, ...filled(environment) })).not.toThrow()
  })

  test('compose.yml uses no variables except those of its environment file and of the service', async () => {
    const used = [...(await read('compose.yml')).matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name)
    expect(used.filter((name) => !othersVariables.includes(name) && !Object.hasOwn(settings, name))).toEqual([])
  })
})

describe('the commands of the deployment guide', () => {
  test('no guide contains the commands git pull or npm ci in /opt/commerce-service, which would change the files of a running process', async () => {
    for (const name of await readdir('registry/guides')) {
      const text = await readFile(`registry/guides/${name}`, 'utf8')
      expect([name, text.match(/git pull|\/opt\/commerce-service && sudo npm ci/g)]).toEqual([name, null])
    }
  })

  test('the commands of the deployment guide write every variable that compose.yml requires into compose.env', async () => {
    const required = [...(await read('compose.yml')).matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name)
    const [, command = ''] = /`(\(umask 077; .*) > scripts\/deploy\/compose\.env`/.exec(deploymentGuide) ?? []
    const { stdout } = await promisify(execFile)('sh', ['-c', command])
    const written = [...stdout.matchAll(/^(\w+)=/gm)].map(([, name = '']) => name)
    expect(required.length).toBeGreaterThan(0)
    expect(required.filter((name) => !written.includes(name))).toEqual([])
  })
})

test('the PostgreSQL settings in compose.yml log no personal data and equal those that the monitoring guide recommends for other servers', async () => {
  const guide = await readFile('registry/guides/monitoring.md', 'utf8')
  const advised = [...guide.matchAll(/`(log_\w+) = (\w+)`/g)].map(([, name, value]) => `--${name}=${value}`)
  expect(advised).toHaveLength(5)
  expect(valuesOf(valuesOf(compose.services).database).command).toEqual(['postgres', ...advised])
})

describe('ports and probes of the deployment files', () => {
  test('the container image exposes the API port and the management port, and its health check requests /livez on the management port', () => {
    const { PORT, MANAGEMENT_PORT } = image?.environment ?? {}
    expect(image?.ports).toEqual([Number(PORT), Number(MANAGEMENT_PORT)])
    expect(probesIn(image?.healthCheck.join(' '))).toEqual(['/livez'])
    expect(image?.healthCheck.join(' ')).toContain('process.env.MANAGEMENT_PORT')
  })

  test('compose.yml publishes the API on loopback only, and its health checks request the readiness probe', () => {
    expect(services.map(({ ports }) => ports)).toEqual([undefined, ['127.0.0.1:3000:3000'], undefined])
    for (const { healthcheck } of services.slice(1)) {
      const command = String(valuesOf(healthcheck).test)
      expect(probesIn(command)).toEqual(['/readyz'])
      expect(command).toContain(`:${image?.environment.MANAGEMENT_PORT}/`)
    }
  })

  test('the probes of the Kubernetes pods use the management port, and only /livez restarts a pod', () => {
    const served = containers.filter(({ ports }) => ports !== undefined)
    expect(served).toHaveLength(2)
    for (const container of served) {
      const ports = objectsIn(container, 'ports').map(({ name, containerPort }) => [name, containerPort])
      expect(Object.fromEntries(ports).management).toBe(Number(image?.environment.MANAGEMENT_PORT))
      const probe = (name: string) => valuesOf(valuesOf(container[name]).httpGet)
      expect(probe('livenessProbe')).toEqual({ path: '/livez', port: 'management' })
      expect(probe('readinessProbe')).toEqual({ path: '/readyz', port: 'management' })
      expect(container.startupProbe).toBeUndefined()
    }
    const target = resources.find(({ kind }) => kind === 'Service')
    expect(objectsIn(target, 'ports')).toEqual([{ name: 'http', port: 80, targetPort: 'http' }])
  })

  test('the start of a systemd unit ends only when the unit’s management port reports that the process is ready', () => {
    for (const { values, environment } of units.filter((unit) => unit.values.Type === 'exec')) {
      const url = `http://127.0.0.1:${environment.MANAGEMENT_PORT}/readyz`
      expect(values.ExecStartPost?.endsWith(`scripts/deploy/until-ready.ts ${url} $MAINPID`)).toBe(true)
    }
  })
})

describe('the two instances of the deployment guide', () => {
  const instances = [3001, 3002]
  const managementPorts = units.flatMap(({ environment: { MANAGEMENT_PORT: port = '' } }) =>
    port.includes('%i') ? instances.map((instance) => port.replace('%i', String(instance))) : port || [],
  )

  test('the commands of the deployment guide start the two instances that the guide describes', () => {
    for (const instance of instances) expect(deploymentGuide).toContain(`commerce-api@${instance}`)
  })

  test('HAProxy balances the two instances of the deployment guide, and detects a stopping instance within DRAIN_SECONDS', () => {
    const servers = [...haproxy.matchAll(/^ +server api-\S+ (\S+)$/gm)].map(([, address]) => address)
    expect(servers).toEqual(instances.map((instance) => `127.0.0.1:${instance}`))
    expect(haproxy).toContain('option httpchk GET /readyz')
    const [, interval, fall] = /check inter (\d+)s fall (\d+)/.exec(haproxy) ?? []
    expect(Number(interval) * Number(fall)).toBeLessThan(readConfig({}).drainSeconds)
  })

  test('the Prometheus configuration scrapes the management ports of both API instances and of the worker', async () => {
    const configuration: Node = parse(await read('monitoring/prometheus.yml'))
    const job = objectsIn(configuration, 'scrape_configs').find(({ job_name: name }) => name === 'commerce')
    const targets = objectsIn(job, 'static_configs').flatMap((each) => each.targets)
    expect([...targets].sort()).toEqual(managementPorts.map((port) => `127.0.0.1:${port}`).sort())
  })
})

describe('haproxy.cfg', () => {
  test('the responses that HAProxy itself generates for 500, 502, 503 and 504 are errors of the error catalogue with their headers', () => {
    const [id, origin] = [`req_${'0'.repeat(26)}`, 'https://shop.example.com']
    const lines = [
      ...haproxy.matchAll(
        /^ {2}http-error status (\d+) content-type application\/json lf-string '(.*)'((?: hdr \S+ \S+)+)$/gm,
      ),
    ]
    expect(lines.map(([, status]) => status)).toEqual(['500', '502', '503', '504'])
    for (const [, , text = '', headers = ''] of lines) {
      const body: Node = JSON.parse(text.replaceAll('%[unique-id]', id).replaceAll('%[env(PUBLIC_URL)]', origin))
      const { code, message } = valuesOf(body.error)
      const known = errorCodes.find((each) => each === code)
      if (known === undefined) throw new Error(`${code} is not in the catalogue.`)
      const refusal = new Refusal(known, String(message))
      expect(body).toEqual(JSON.parse(refusalBody(refusal, id, origin)))
      const sent = [...headers.matchAll(/hdr (\S+) (\S+)/g)].map(([, name, value]) => [name, value])
      const { 'Content-Type': _, ...expected } = failureHeaders(refusal, '%[unique-id]')
      expect(Object.fromEntries(sent)).toEqual(expected)
    }
  })

  test('HAProxy sends a request to another process if the first accepts no connection, and repeats only reads and requests with an honoured Idempotency-Key', () => {
    expect(haproxy).toMatch(/^ {2}option redispatch 1$/m)
    expect(haproxy).toMatch(/^ {2}retry-on conn-failure empty-response$/m)
    const [, backend = ''] = haproxy.split('\nbackend api\n')
    const all: readonly Endpoint[] = Object.values(endpoints)
    const honoured = all.filter(({ idempotency }) => idempotency === 'honoured')
    const conditions = honoured.map(
      ({ method, path }) => `{ method ${method} } { path ${apiRoot}${path} } { req.hdr(Idempotency-Key) -m found }`,
    )
    expect(backend).toContain(`http-request disable-l7-retry unless METH_GET or ${conditions.join(' or ')}\n`)
  })

  test('HAProxy sends each write on a new connection, because HAProxy sends no error response if a server closes a reused connection', () => {
    const [, frontend = ''] = haproxy.split('\nfrontend https\n')
    expect(frontend).toMatch(/^ {2}use_backend first-requests if !METH_GET$/m)
    const [, inner = ''] = haproxy.split('\nbackend first-requests\n')
    expect(inner.slice(0, inner.indexOf('\nbackend api\n'))).toMatch(
      /^ {2}http-reuse never\n {2}option http-server-close\n(?:.*\n)* {2}server writes (abns@\S+)\n\nfrontend writes\n {2}bind \1\n/,
    )
  })
})

describe('commands of the deployment files', () => {
  test('every start command of the deployment files runs a program that exists in the repository', () => {
    const commands = [
      image?.start,
      ...services.map(({ command }) => command),
      ...containers.map(({ command }) => command),
      ...units.flatMap(({ values, start }) => [start, values.ExecStartPost?.split(' ')]),
    ].filter((command) => command !== undefined)
    expect(commands.length).toBeGreaterThan(6)
    for (const command of commands) {
      const [program = '', ...words] = Array.isArray(command) ? command.map(String) : []
      const script = words.find((word) => !word.startsWith('--')) ?? ''
      expect(program).toMatch(/^(node|\/opt\/commerce-service\/node_modules\/\.bin\/node)$/)
      expect(existsSync(script), script).toBe(true)
    }
  })

  test('the container image and the systemd units start the service with the options of `npm start`', () => {
    const commands = [image?.start ?? [], ...units.map(({ start }) => start)]
    const starts = commands.filter((command) => command.includes('src/main.ts'))
    expect(starts).toHaveLength(3)
    for (const start of starts) expect(start.slice(1)).toEqual([...nodeOptions, 'src/main.ts'])
  })

  test('the container image contains every file and folder that the service reads', () => {
    const copied = stages
      .find(({ name }) => name === image?.base)
      ?.copies.flatMap(({ from, sources }) => (from === undefined ? sources : []))
    expect(copied).toEqual(['package.json', 'openapi.json', 'LICENSE', 'generated', 'registry', 'src'])
    for (const source of copied ?? []) expect(existsSync(source), source).toBe(true)
  })
})

describe('privileges of the deployed processes', () => {
  test('no process of the service runs as root or can write to its files', () => {
    expect(image?.user).toBe('1000:1000')
    for (const service of services)
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
    expect(containers).toHaveLength(3)
    for (const { securityContext } of containers)
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
    for (const security of resources.flatMap((each) => objectsIn(each, 'securityContext')).filter(isOfPod))
      expect(security).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      })
    for (const { values } of units)
      expect(values).toMatchObject({ DynamicUser: 'yes', ProtectSystem: 'strict', CapabilityBoundingSet: '' })
  })

  test('only the migration gets the password of the database owner', () => {
    expect(services.map(({ environment }) => keysIn(environment).includes('DATABASE_OWNER_URL'))).toEqual([
      true,
      false,
      false,
    ])
    const withOwner = containers.filter((container) => JSON.stringify(container).includes('commerce-owner'))
    expect(withOwner.map(({ name }) => name)).toEqual(['migrate'])
    const unitsWithOwner = unitNames.filter((_, index) => JSON.stringify(units[index]?.values).includes('owner.env'))
    expect(unitsWithOwner).toEqual(['commerce-migrate.service'])
  })
})

test('Compose, systemd and Kubernetes are configured to wait longer than a process needs to stop', () => {
  const stopSecondsOf = (environment: Record<string, string>) => stopLimitMs(readConfig(environment)) / 1000
  for (const { stop_grace_period: grace } of services)
    expect(Number.parseInt(String(grace), 10)).toBeGreaterThan(stopSecondsOf({}))
  for (const { values } of units.filter((unit) => unit.values.Type === 'exec'))
    expect(Number.parseInt(values.TimeoutStopSec ?? '', 10)).toBeGreaterThan(stopSecondsOf({}))
  for (const resource of resources.filter(({ kind }) => kind === 'Deployment')) {
    const [pod = {}] = objectsIn(resource, 'template').map(({ spec }) => valuesOf(spec))
    const [container] = objectsIn(pod, 'containers')
    const seconds = stopSecondsOf(variablesIn(container?.env))
    expect(Number(pod.terminationGracePeriodSeconds)).toBeGreaterThan(seconds)
  }
})

/** Returns the paths of the service's health probes to which a command sends a request. */
function probesIn(command = ''): string[] {
  return [...command.matchAll(/\/[a-z]+z\b/g)].map(([path]) => path).filter((path) => probeOf(path) !== undefined)
}

function isOfPod(security: Node): boolean {
  return security.readOnlyRootFilesystem === undefined
}
