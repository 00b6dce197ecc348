import type { IncomingMessage } from 'node:http'

/** The environment of a request in Hono: the HTTP request as Node.js received it. */
export interface Bindings {
  Bindings: { readonly incoming: IncomingMessage }
}
