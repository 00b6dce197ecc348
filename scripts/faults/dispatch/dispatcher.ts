import { endOf, forkScript } from '../processes.ts'
import type { FromDispatcher, ToDispatcher } from './process.ts'

export interface Dispatcher {
  /** Resolves when the process has replied or ended. */
  send(message: ToDispatcher): Promise<void>
  kill(): void
  readonly hasEnded: () => boolean
  readonly ended: Promise<string | number | null>
  /** The error output of the dispatching process. */
  readonly log: () => string
}

export function forkDispatcher(): Dispatcher {
  const child = forkScript('dispatch/process.ts')
  let log = ''
  child.stderr?.on('data', (chunk) => {
    log += chunk
  })
  let isEnded = false
  const ended = endOf(child).finally(() => {
    isEnded = true
  })
  const pending = new Map<number, () => void>()
  const loaded = new Promise<void>((resolve) => {
    child.on('message', (message: FromDispatcher) => {
      if (message.is === 'loaded') resolve()
      else pending.get(message.number)?.()
    })
  })
  let count = 0
  return {
    send: async (message) => {
      await Promise.race([loaded, ended])
      count += 1
      const number = count
      const done = new Promise<void>((resolve) => pending.set(number, resolve))
      if (child.connected) child.send({ ...message, number })
      await Promise.race([done, ended])
      pending.delete(number)
    },
    kill: () => void child.kill('SIGKILL'),
    hasEnded: () => isEnded,
    ended,
    log: () => log,
  }
}
