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
  /** Waits until HAProxy sends requests to the process at this index, or until it sends none. */
  until(index: number, state: 'UP' | 'DOWN'): Promise<void>
  stop(): Promise<void>
}

export interface HaproxyOptions {
  /** The URLs of the processes: the two of the configuration, and further ones with the same settings. */
  readonly urls: readonly string[]
  /** Whether HAProxy repeats requests as in the configuration. A repeated request would hide a lost one. */
  readonly repeats: boolean
}

/** Returns the path of HAProxy. Ends this process with 2 if it is not installed. */
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

/** The names of the processes in the configuration. */
const serverNames = ['api-3001', 'api-3002']

function nameOf(index: number): string {
  return serverNames[index] ?? `further-${index}`
}

interface Addresses extends Pick<HaproxyOptions, 'urls'> {
  readonly port: number
  readonly redirectPort: number
}

/** Replaces what a machine without root and without a certificate does not have: the account, TLS and the ports. */
function adapted(shipped: string, { urls, port, redirectPort }: Addresses): string {
  const local = [
    [/^ {2}(user|group) haproxy\n/gm, ''],
    [/bind :80$/m, `bind 127.0.0.1:${redirectPort}`],
    [/bind :443 .*$/m, `bind 127.0.0.1:${port}`],
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

/** Returns the server of the configuration whose place a process takes. Further processes follow the last one. */
function serverOf(index: number, servers: number): number {
  return Math.min(index, servers - 1)
}

/** Throws if the pattern is not found: the configuration has changed then. */
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

/** How often the state is read. */
const pollMs = 100

/** A check takes a second, and a change of the state at most two checks. */
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
