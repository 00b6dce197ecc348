import type { IncomingMessage, ServerResponse } from 'node:http'

/** A response of the management port, or of a probe on the API port. */
export interface Reply {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

/** Node omits the body of a response to HEAD. */
export function sendReply(
  outgoing: ServerResponse<IncomingMessage>,
  { status, contentType, body }: Reply,
  headers: Readonly<Record<string, string>> = {},
): void {
  outgoing.writeHead(status, {
    'Content-Type': contentType,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    ...headers,
  })
  outgoing.end(body)
}
