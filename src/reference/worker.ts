import { parentPort } from 'node:worker_threads'
import { entityOf } from './entity.ts'
import { openSite } from './site.ts'
import type { RenderRequest, RenderResponse } from './thread.ts'

/** The rendering thread of the reference. Highlighting and compression in the main thread would delay API requests. */

// If the reference site cannot be loaded, the rendering thread exits with the error, and the next request starts a new
// thread.
const site = await openSite(new URL('../../generated/reference/', import.meta.url))

parentPort?.on('message', ({ number, url, origin, query }: RenderRequest) => {
  entityAt(url, origin, query).then(
    (entity) => send({ number, is: 'entity', entity }),
    (error: unknown) =>
      send({ number, is: 'failed', message: error instanceof Error ? String(error.stack) : String(error) }),
  )
})

function send(response: RenderResponse): void {
  parentPort?.postMessage(response)
}

async function entityAt(url: string, origin: string, query: string | undefined) {
  const { read, search, notFound } = site
  if (query !== undefined) return entityOf(search(query), true)
  const resource = await read(url, origin)
  return resource === undefined ? entityOf(notFound, false) : entityOf(resource, true)
}
