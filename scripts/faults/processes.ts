import { type ChildProcess, fork } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FromWorker, StartMessage, ToWorker } from './worker-process.ts'

export interface WorkerProcess {
  start(options: Pick<StartMessage, 'connectionString'> & Partial<StartMessage>): Promise<void>
  /** Gracefully, so that it can be started again. */
  stop(): Promise<void>
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT' | 'SIGTERM'): void
  /** How it ended: the signal, or the exit code. */
  readonly ended: Promise<string | number | null>
  readonly hasEnded: () => boolean
  /** What it has logged, and why it ended. */
  readonly log: () => string
}

/** It has loaded the service when it is told to start, so a row of them can be made ready beside other work. */
export function forkWorker(): WorkerProcess {
  const child = forkScript('worker-process.ts')
  let log = ''
  child.stderr?.on('data', (chunk) => {
    log += chunk
  })
  let isEnded = false
  const ended = endOf(child).finally(() => {
    isEnded = true
  })
  const loaded = heard(child, 'loaded')
  const ask = async (message: ToWorker, answer: FromWorker['is']) => {
    await Promise.race([loaded, ended])
    const answered = heard(child, answer)
    if (child.connected) child.send(message)
    await Promise.race([answered, ended])
  }
  return {
    start: (options) =>
      ask({ is: 'start', logLevel: 'silent', aheadMs: 0, death: null, delay: null, ...options }, 'started'),
    stop: () => ask({ is: 'stop' }, 'stopped'),
    signal: (name) => void child.kill(name),
    ended,
    hasEnded: () => isEnded,
    log: () => log,
  }
}

/** What was compiled once need not be again: it halves the time in which a process gets ready. */
export const compileCache = join(tmpdir(), 'commerce-faults-compile-cache')

export function forkScript(script: string, args: readonly string[] = []): ChildProcess {
  return fork(new URL(script, import.meta.url), args, {
    execArgv: [],
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
}

export function endOf(child: ChildProcess): Promise<string | number | null> {
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)))
}

function heard(child: ChildProcess, is: FromWorker['is']): Promise<void> {
  return new Promise((resolve) => {
    const listen = (message: FromWorker) => {
      if (message.is !== is) return
      child.off('message', listen)
      resolve()
    }
    child.on('message', listen)
  })
}
