import { parentPort } from 'node:worker_threads'
import { entityOf } from './entity.ts'
import { openSite } from './site.ts'
import type { Answered, Asked } from './thread.ts'

/** The thread that renders: colouring code and compressing would otherwise hold up the requests of the API. */

// Where it cannot be loaded the thread ends with the reason, and the next question starts another.
const site = await openSite(new URL('../../generated/reference/', import.meta.url))

parentPort?.on('message', ({ number, url, origin, query }: Asked) => {
  entityAt(url, origin, query).then(
    (entity) => tell({ number, is: 'entity', entity }),
    (error: unknown) =>
      tell({ number, is: 'failed', message: error instanceof Error ? String(error.stack) : String(error) }),
  )
})

function tell(answered: Answered): void {
  parentPort?.postMessage(answered)
}

async function entityAt(url: string, origin: string, query: string | undefined) {
  const { read, search, notFound } = site
  if (query !== undefined) return entityOf(search(query), true)
  const resource = await read(url, origin)
  return resource === undefined ? entityOf(notFound, false) : entityOf(resource, true)
}
