import type { IncomingMessage } from 'node:http'

/** The environment of a request in Hono: the message that Node.js received. */
export interface Bindings {
  Bindings: { readonly incoming: IncomingMessage }
}
