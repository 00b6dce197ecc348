import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { generatedReference } from './pages.ts'
import type { Resource } from './resource.ts'
import { openSearchTime, searchClocks } from './search.ts'
import { openSite, type Site } from './site.ts'

/** A resource of the reference site, as it is served for one origin (base URL). */
export interface Entity extends Omit<Resource, 'body' | 'isOriginBound'> {
  readonly isFound: boolean
  /** The ETag is weak, because all content codings share it. */
  readonly etag: string
  /** The encoded body is cached. */
  encoded(coding: keyof typeof encoders): Promise<Uint8Array>
}

export interface ReferenceSite {
  /** Returns the content at a URL of the reference, or the page for unknown URLs. */
  find(url: string, origin: string): Promise<Entity>
  /** Undefined while searches exceed their limits of processor time. */
  search(query: string): Promise<Entity | undefined>
}

/**
 * Maximum number of cached resources. The maximum is enough to cache all pages for two origins. The number must be
 * limited, because clients choose the origin of a request.
 */
const entitiesMax = 1000

/** The first request loads the site, so a service without readers loads nothing. */
export function openReferenceSite(folder = generatedReference): ReferenceSite {
  let site: Promise<Site> | undefined
  const open = (): Promise<Site> => {
    if (site !== undefined) return site
    site = openSite(folder)
    // If the site cannot be loaded, the next request loads it again.
    site.catch(() => (site = undefined))
    return site
  }
  const entities = new LRUCache<string, Promise<Entity>>({ max: entitiesMax })
  const withinSearchTime = openSearchTime(searchClocks)
  return {
    find: async (url, origin) => {
      const { resources, notFound } = await open()
      const resource = resources.get(url)
      // All unknown URLs share one cache entry: the page for an unknown URL.
      const path = resource === undefined ? '' : url
      const key = resource?.isOriginBound ? `${origin} ${path}` : path
      const known = entities.get(key)
      if (known !== undefined) return known
      const made = entityOf(resource ?? notFound, { origin, isFound: resource !== undefined })
      entities.set(key, made)
      made.catch(() => entities.delete(key))
      return made
    },
    search: async (query) => {
      const { search } = await open()
      const found = withinSearchTime(() => search(query))
      return found && entityOf(found, { origin: '', isFound: true })
    },
  }
}

interface Setting {
  readonly origin: string
  readonly isFound: boolean
}

async function entityOf({ body, ...resource }: Resource, { origin, isFound }: Setting): Promise<Entity> {
  const identity = Buffer.from(await body(origin))
  const made: { -readonly [coding in keyof typeof encoders]?: Promise<Uint8Array> } = {}
  return {
    ...resource,
    isFound,
    etag: `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`,
    encoded: (coding) => (made[coding] ??= encoders[coding](identity)),
  }
}

/**
 * Brotli compression level. A higher level takes ten times as long and saves only a few percent of a script of four
 * megabytes.
 */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }

/**
 * The compression functions, by the name of the HTTP content coding. Node.js compresses in its thread pool, because a
 * long compression in the event loop would delay API requests.
 */
const encoders = {
  identity: async (bytes: Buffer): Promise<Uint8Array> => bytes,
  gzip: (bytes: Buffer): Promise<Uint8Array> => promisify(gzip)(bytes),
  br: (bytes: Buffer): Promise<Uint8Array> => promisify(brotliCompress)(bytes, brotliOptions),
} as const
