import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import type { Entity } from './entity.ts'

/** The messages between the service and the thread that renders the reference. */

export interface RenderRequest {
  readonly number: number
  readonly url: string
  /** The origin (base URL) of the request, which the code samples on the pages contain. */
  readonly origin: string
  /** The search query, if the request is for the page of search results. */
  readonly query: string | undefined
}

export type RenderResponse =
  | { readonly number: number; readonly is: 'entity'; readonly entity: Entity }
  | { readonly number: number; readonly is: 'failed'; readonly message: string }

export interface ReferenceSite {
  /**
   * Returns the content at a URL of the reference, or the page for unknown URLs. Throws ReferenceBusyError if too many
   * requests are waiting.
   */
  find(url: string, origin: string): Promise<Entity>
  /** Returns the page of search results. Throws ReferenceBusyError if too many requests are waiting. */
  search(query: string, origin: string): Promise<Entity>
}

interface Pending {
  resolve(entity: Entity): void
  reject(error: Error): void
}

/**
 * Maximum number of requests that wait for the thread that renders the reference. A page takes some milliseconds, so
 * 300 pages take a few seconds.
 */
const pendingMax = 300

/**
 * Maximum number of cached pages that depend on the origin (base URL): all pages for two origins. Clients choose the
 * origin, so the number must be limited.
 */
const entitiesMax = 1000

/**
 * Thrown when more requests for pages of the reference wait than its rendering thread can answer within a few seconds.
 */
export class ReferenceBusyError extends Error {
  override readonly name = 'ReferenceBusyError'
}

const rendering = new URL('./worker.ts', import.meta.url)

/**
 * Opens the site of the API reference. The first request starts the rendering thread, so a service without readers
 * loads nothing.
 */
export function openReferenceSite(program = rendering): ReferenceSite {
  const pending = new Map<number, Pending>()
  const found = new Map<string, Promise<Entity>>()
  const foundAtOrigin = new LRUCache<string, Promise<Entity>>({ max: entitiesMax })
  let worker: Worker | undefined
  let lastNumber = 0

  const start = (): Worker => {
    const started = new Worker(program)
    const stopped = (error: Error) => {
      // A failure of the rendering thread emits both `error` and `exit`. When the second event arrives, the pending
      // requests already belong to the next thread.
      if (worker !== started) return
      worker = undefined
      for (const { reject } of pending.values()) reject(error)
      pending.clear()
    }
    started.on('message', (response: RenderResponse) => {
      const request = pending.get(response.number)
      pending.delete(response.number)
      if (response.is === 'entity') request?.resolve(response.entity)
      else request?.reject(new Error(response.message))
    })
    started.on('error', (error) => stopped(error instanceof Error ? error : new Error(String(error))))
    started.on('exit', () => stopped(new Error('The rendering thread ended.')))
    // The rendering thread must not keep a stopping service alive.
    started.unref()
    return started
  }
  const render = (url: string, origin: string, query?: string): Promise<Entity> => {
    if (pending.size >= pendingMax) return Promise.reject(new ReferenceBusyError())
    worker ??= start()
    const number = ++lastNumber
    const message: RenderRequest = { number, url, origin, query }
    worker.postMessage(message)
    return new Promise((resolve, reject) => pending.set(number, { resolve, reject }))
  }

  return {
    find: (url, origin) => {
      const atOrigin = `${origin} ${url}`
      const known = found.get(url) ?? foundAtOrigin.get(atOrigin)
      if (known !== undefined) return known
      const rendered = render(url, origin)
      foundAtOrigin.set(atOrigin, rendered)
      rendered.then(
        ({ isFound, isOriginBound }) => {
          // Only existing pages are cached, because the number of possible unknown URLs is unlimited.
          if (isFound && isOriginBound === true) return
          if (isFound) found.set(url, rendered)
          foundAtOrigin.delete(atOrigin)
        },
        () => foundAtOrigin.delete(atOrigin),
      )
      return rendered
    },
    search: (query, origin) => render('', origin, query),
  }
}
