import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../src/store/embedded/server.ts'
import { requireProgram } from '../outside/require-program.ts'
import { endOf } from './processes.ts'

/** HAProxy in front of two or more API processes, with the configuration of the Deployment guide. */
export interface Haproxy {
  readonly url: string
  /** Waits until HAProxy sends requests to the API process with this index (UP), or sends it none (DOWN). */
  until(index: number, state: 'UP' | 'DOWN'): Promise<void>
  stop(): Promise<void>
}

export interface HaproxyOptions {
  /**
   * The URLs of the API processes. Two of them are in HAProxy's shipped configuration. Additional processes have the
   * same settings.
   */
  readonly urls: readonly string[]
  /**
   * Whether HAProxy repeats failed requests, as in the shipped configuration. If HAProxy repeats them, a check does not
   * notice that an API process lost a request.
   */
  readonly repeats: boolean
}

/** Ends this process with 2 if HAProxy is not installed. */
export function requireHaproxy(): string {
  return requireProgram('haproxy', 'haproxy')
}

export async function startHaproxy(program: string, { urls, repeats }: HaproxyOptions): Promise<Haproxy> {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-haproxy-'))
  const [port, redirectPort, statsPort] = [await freePort(), await freePort(), await freePort()]
  const shipped = await readFile('scripts/deploy/haproxy.cfg', 'utf8')
  const path = join(folder, 'haproxy.cfg')
  const configuration = adapted(shipped, { urls, port, redirectPort }) + statistics(statsPort)
  await writeFile(path, repeats ? configuration : replaced(configuration, /^ {2}retries 3$/m, '  retries 0'))
  const child = spawn(program, ['-db', '-f', path], { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = endOf(child)
  return {
    url: `http://127.0.0.1:${port}`,
    until: (index, state) => until(child, statsPort, { name: nameOf(index), state }),
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}

/** The names of the API processes in HAProxy's configuration. */
const serverNames = ['api-3001', 'api-3002']

function nameOf(index: number): string {
  return serverNames[index] ?? `further-${index}`
}

interface Addresses extends Pick<HaproxyOptions, 'urls'> {
  readonly port: number
  readonly redirectPort: number
}

/**
 * Adapts the configuration to a machine without root and without a certificate: replaces the user, TLS and the ports.
 * Adds the port to the name of the internal socket of HAProxy, so that several proxies can run.
 */
function adapted(shipped: string, { urls, port, redirectPort }: Addresses): string {
  const local = [
    [/^ {2}(user|group) haproxy\n/gm, ''],
    [/bind :80$/m, `bind 127.0.0.1:${redirectPort}`],
    [/bind :443 .*$/m, `bind 127.0.0.1:${port}`],
    [/abns@commerce-writes$/gm, `abns@commerce-writes-${port}`],
    ...serverNames.map((name, index): [RegExp, string] => [
      new RegExp(`server ${name} \\S+$`, 'm'),
      urls
        .flatMap((url, each) =>
          serverOf(each, serverNames.length) === index ? [`server ${nameOf(each)} ${new URL(url).host}`] : [],
        )
        .join('\n  '),
    ]),
  ] as const
  return local.reduce((text, [pattern, value]) => replaced(text, pattern, value), shipped)
}

/**
 * Returns the index of the server line that an API process replaces in HAProxy's configuration. An additional process
 * has no line of its own, so it is appended to the last server line.
 */
function serverOf(index: number, servers: number): number {
  return Math.min(index, servers - 1)
}

/**
 * Replaces a pattern in the HAProxy configuration. Throws if it does not occur, because then the shipped configuration
 * has changed.
 */
function replaced(text: string, pattern: RegExp, value: string): string {
  const result = text.replace(pattern, value)
  if (result === text) throw new Error(`scripts/deploy/haproxy.cfg does not contain ${pattern}.`)
  return result
}

function statistics(port: number): string {
  return `
frontend statistics
  bind 127.0.0.1:${port}
  stats enable
  stats uri /
`
}

const pollMs = 100

/**
 * Maximum wait until HAProxy changes the state of a process. A health check takes a second, and HAProxy changes the
 * state after at most two checks.
 */
const changeMaxMs = 60_000

interface Awaited {
  readonly name: string
  readonly state: 'UP' | 'DOWN'
}

async function until(child: ChildProcess, statsPort: number, { name, state }: Awaited): Promise<void> {
  const deadlineMs = performance.now() + changeMaxMs
  while (performance.now() < deadlineMs && child.exitCode === null) {
    const response = await fetch(`http://127.0.0.1:${statsPort}/;csv`).catch(() => undefined)
    const lines = (await response?.text())?.split('\n') ?? []
    if (lines.some((line) => line.startsWith(`api,${name},`) && line.split(',').includes(state))) return
    await wait(pollMs)
  }
  throw new Error(`HAProxy did not report ${name} as ${state} within ${changeMaxMs / 1000} s.`)
}
