export interface Resource {
  readonly type: string
  body(origin: string): Promise<string | Uint8Array> | string
  /** Whether the body contains the origin of the request, and therefore differs between origins. */
  readonly isOriginBound?: boolean
  /** Whether the URL contains a hash of the content, so that the content at this URL never changes. */
  readonly isImmutable?: boolean
  /** Whether the page needs the content security policy of the API explorer. */
  readonly isExplorer?: boolean
  readonly markdownUrl?: string
}

/** The origin in the code samples of the generated files: the default address of the demo. */
export const writtenOrigin = 'http://127.0.0.1:3000'
