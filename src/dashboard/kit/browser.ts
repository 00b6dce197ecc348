import type { Call } from '../../operations/execute/call.ts'

export interface UploadedFile {
  readonly name: string
  readonly bytes: Buffer
}

/** Data and functions of a browser's request, which the HTTP server passes to the dashboard. */
export interface Browser {
  readonly requestId: string
  readonly sourceIp: string
  readonly userAgent: string | null
  /** The origin of the service, such as `https://api.example.com`. */
  readonly origin: string
  readonly headers: {
    readonly cookie: string | undefined
    readonly origin: string | undefined
    /** The header `Sec-Fetch-Site`. */
    readonly fetchSite: string | string[] | undefined
  }
  readonly onDisconnect: Call['onDisconnect']
  /** Whether the response is sent without its body, because the request has the method HEAD. */
  readonly isHead: boolean
  /**
   * Supervises the transfer of a file, and returns the parts of the file. If the process is stopping, ends the
   * generation of the parts and throws a Refusal.
   */
  superviseStream(parts: AsyncIterableIterator<string>): AsyncIterableIterator<string>
  /** Throws a Refusal if the head of the request is malformed. */
  checkHead(): void
  /** Throws a Refusal if the form is larger than `maxBytes`. */
  readForm(maxBytes: number): Promise<URLSearchParams>
  /** Throws a Refusal if the file is larger than `maxBytes`. */
  readUpload(maxBytes: number): Promise<{ readonly fields: URLSearchParams; readonly file: UploadedFile | undefined }>
}
