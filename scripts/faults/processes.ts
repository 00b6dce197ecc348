import { type ChildProcess, fork } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FromWorker, StartMessage, ToWorker } from './worker-process.ts'

export interface WorkerProcess {
  start(options: Pick<StartMessage, 'connectionString'> & Partial<StartMessage>): Promise<void>
  /** Stops the worker gracefully. It can be started again afterwards. */
  stop(): Promise<void>
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT' | 'SIGTERM'): void
  /** Resolves with the signal or the exit code when the process ends. */
  readonly ended: Promise<string | number | null>
  readonly hasEnded: () => boolean
  readonly log: () => string
}

/**
 * The process loads the service's modules before it gets the message to start, so that workers can be prepared in
 * advance.
 */
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
  const loaded = nextMessage(child, 'loaded')
  const request = async (message: ToWorker, reply: FromWorker['is']) => {
    await Promise.race([loaded, ended])
    const replied = nextMessage(child, reply)
    if (child.connected) child.send(message)
    await Promise.race([replied, ended])
  }
  return {
    start: (options) =>
      request(
        { is: 'start', logLevel: 'silent', aheadMs: 0, standingMs: null, death: null, delay: null, ...options },
        'started',
      ),
    stop: () => request({ is: 'stop' }, 'stopped'),
    signal: (name) => void child.kill(name),
    ended,
    hasEnded: () => isEnded,
    log: () => log,
  }
}

/** The forked processes share a compile cache of Node.js, which halves their start time. */
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

function nextMessage(child: ChildProcess, is: FromWorker['is']): Promise<void> {
  return new Promise((resolve) => {
    const listen = (message: FromWorker) => {
      if (message.is !== is) return
      child.off('message', listen)
      resolve()
    }
    child.on('message', listen)
  })
}
