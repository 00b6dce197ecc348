import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../../src/store/embedded/server.ts'
import { endOf } from '../processes.ts'

/** HAProxy in front of several API processes, with the settings that the Operations guide recommends. */
export interface Haproxy {
  readonly url: string
  /** Waits until HAProxy sends requests to the process at this URL. */
  untilUp(url: string): Promise<void>
  stop(): Promise<void>
}

/** Debian installs it in /usr/sbin, which is not on the path of every user. */
const programs = ['haproxy', '/usr/sbin/haproxy']

/** Returns the program, or undefined if the Debian package haproxy is not installed. */
export function findHaproxy(): string | undefined {
  return programs.find((program) => spawnSync(program, ['-v']).status === 0)
}

export async function startHaproxy(program: string, urls: readonly string[]): Promise<Haproxy> {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-haproxy-'))
  const [port, statsPort] = [await freePort(), await freePort()]
  const path = join(folder, 'haproxy.cfg')
  await writeFile(path, configuration({ urls, port, statsPort }))
  const child = spawn(program, ['-db', '-f', path], { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = endOf(child)
  return {
    url: `http://127.0.0.1:${port}`,
    untilUp: (url) => untilUp(child, statsPort, nameOf(url)),
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}

function configuration({ urls, port, statsPort }: { urls: readonly string[]; port: number; statsPort: number }) {
  const servers = urls.map((url) => `  server ${nameOf(url)} ${new URL(url).host}`)
  return `
defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  # A repeated request would hide a lost one.
  retries 0

frontend stats
  bind 127.0.0.1:${statsPort}
  stats enable
  stats uri /

frontend api
  bind 127.0.0.1:${port}
  default_backend processes

backend processes
  balance roundrobin
  option httpchk GET /readyz
  default-server check inter 1s fall 2 rise 1
${servers.join('\n')}
`
}

/** The name of a process in HAProxy: its port. */
function nameOf(url: string): string {
  return `port-${new URL(url).port}`
}

/** How often the state is read. */
const pollMs = 100

/** A check takes a second. */
const upMaxMs = 60_000

async function untilUp(child: ChildProcess, statsPort: number, name: string): Promise<void> {
  const deadlineMs = performance.now() + upMaxMs
  while (performance.now() < deadlineMs && child.exitCode === null) {
    const response = await fetch(`http://127.0.0.1:${statsPort}/;csv`).catch(() => undefined)
    const lines = (await response?.text())?.split('\n') ?? []
    if (lines.some((line) => line.startsWith(`processes,${name},`) && line.split(',').includes('UP'))) return
    await wait(pollMs)
  }
  throw new Error(`HAProxy did not reach ${name} within ${upMaxMs / 1000} s.`)
}
