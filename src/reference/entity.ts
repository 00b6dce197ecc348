import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Resource } from './site.ts'

/** A resource of the API reference site, with its bytes in every content coding that browsers accept. */
export interface Entity extends Omit<Resource, 'body'> {
  readonly isFound: boolean
  /** The ETag is weak, because all three content codings share it. */
  readonly etag: string
  readonly bytes: { readonly identity: Uint8Array; readonly gzip: Uint8Array; readonly br: Uint8Array }
}

/**
 * Brotli compression level. A higher level takes ten times as long and saves only a few percent of a script of four
 * megabytes.
 */
const brotliQuality = 6

export function entityOf({ body, ...resource }: Resource, isFound: boolean): Entity {
  const identity = Buffer.from(body)
  return {
    ...resource,
    isFound,
    etag: `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`,
    bytes: {
      identity,
      gzip: gzipSync(identity),
      br: brotliCompressSync(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
    },
  }
}
