import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Resource } from './site.ts'

/** A resource as it is sent: its bytes in every coding that browsers ask for, made once. */
export interface Entity extends Omit<Resource, 'body'> {
  readonly isFound: boolean
  /** Weak, because the same tag stands for all three codings. */
  readonly etag: string
  readonly bytes: { readonly identity: Uint8Array; readonly gzip: Uint8Array; readonly br: Uint8Array }
}

/** Above it, brotli spends ten times as long to save the last few percent of a script of four megabytes. */
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
