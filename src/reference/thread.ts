import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import type { Entity } from './entity.ts'

/** What the service asks its rendering thread, and is told. */

export interface Asked {
  readonly number: number
  readonly url: string
  /** Where the reader reads it: samples name it. */
  readonly origin: string
  /** What is searched for, which makes the address the page of results. */
  readonly query: string | undefined
}

export type Answered =
  | { readonly number: number; readonly is: 'entity'; readonly entity: Entity }
  | { readonly number: number; readonly is: 'failed'; readonly message: string }

export interface ReferenceSite {
  /** What is at an address; where nothing is, the page that says so. */
  find(url: string, origin: string): Promise<Entity>
  search(query: string, origin: string): Promise<Entity>
}

interface Waiting {
  resolve(entity: Entity): void
  reject(error: Error): void
}

/** A page takes some milliseconds, so these take a few seconds: whoever asks behind them has better things to do than wait. */
const waitingMax = 300

/** Every page for two origins. An origin is a client's claim, so the pages of older ones have to go. */
const entitiesMax = 1000

/** More is asked for than the thread gets rendered. */
export class ReferenceBusyError extends Error {
  override readonly name = 'ReferenceBusyError'
}

const rendering = new URL('./worker.ts', import.meta.url)

/** Nothing is loaded before somebody reads: a service whose reference nobody opens pays nothing for it. */
export function openReferenceSite(program = rendering): ReferenceSite {
  const waiting = new Map<number, Waiting>()
  const found = new Map<string, Promise<Entity>>()
  const foundAtOrigin = new LRUCache<string, Promise<Entity>>({ max: entitiesMax })
  let worker: Worker | undefined
  let asked = 0

  const start = (): Worker => {
    const started = new Worker(program)
    const stopped = (error: Error) => {
      // A failure is told twice, as an error and as an end; by the second those who wait do so for the next thread.
      if (worker !== started) return
      worker = undefined
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    }
    started.on('message', (answered: Answered) => {
      const waiter = waiting.get(answered.number)
      waiting.delete(answered.number)
      if (answered.is === 'entity') waiter?.resolve(answered.entity)
      else waiter?.reject(new Error(answered.message))
    })
    started.on('error', (error) => stopped(error instanceof Error ? error : new Error(String(error))))
    started.on('exit', () => stopped(new Error('The rendering thread ended.')))
    // It must not keep a service alive that wants to end.
    started.unref()
    return started
  }
  const ask = (url: string, origin: string, query?: string): Promise<Entity> => {
    if (waiting.size >= waitingMax) return Promise.reject(new ReferenceBusyError())
    worker ??= start()
    const number = ++asked
    const message: Asked = { number, url, origin, query }
    worker.postMessage(message)
    return new Promise((resolve, reject) => waiting.set(number, { resolve, reject }))
  }

  return {
    find: (url, origin) => {
      const atOrigin = `${origin} ${url}`
      const known = found.get(url) ?? foundAtOrigin.get(atOrigin)
      if (known !== undefined) return known
      const asking = ask(url, origin)
      foundAtOrigin.set(atOrigin, asking)
      asking.then(
        ({ isFound, isOriginBound }) => {
          // Only what exists is kept: there are as many wrong addresses as anybody cares to invent.
          if (isFound && isOriginBound === true) return
          if (isFound) found.set(url, asking)
          foundAtOrigin.delete(atOrigin)
        },
        () => foundAtOrigin.delete(atOrigin),
      )
      return asking
    },
    search: (query, origin) => ask('', origin, query),
  }
}
