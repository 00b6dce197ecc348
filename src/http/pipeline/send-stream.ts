import type { ServerResponse } from 'node:http'
import type { Reply } from '../../operations/execute/call.ts'
import type { ClientWaits } from './client-waits.ts'
import type { Exchange } from './exchange.ts'
import type { Service } from './request.ts'
import { noStore } from './respond.ts'

export type Stream = Extract<Reply, { is: 'stream' }>

/**
 * Sends a stream. The next part is generated when the client has read most of the previous one. If a part fails, or the
 * client reads nothing for a minute, the connection is reset: the client sees an error and never a complete response.
 */
export async function sendStream(
  { log, clientWaits }: Pick<Service, 'clientWaits' | 'log'>,
  exchange: Exchange,
  { mediaType, fileName, parts }: Stream,
): Promise<undefined> {
  const { message, outgoing, requestId, headers } = exchange
  outgoing.writeHead(200, {
    'Content-Type': `${mediaType}; charset=utf-8`,
    'Content-Disposition': `attachment; filename="${fileName}"`,
    'Request-Id': requestId,
    ...noStore,
    ...headers,
  })
  abortWhenIdle(exchange, clientWaits)
  try {
    for await (const part of parts) {
      if (!outgoing.write(part)) await drained(outgoing)
      if (outgoing.destroyed || message.method === 'HEAD') break
    }
    outgoing.end()
  } catch (error) {
    log.error({ err: error, requestId }, 'A response was aborted.')
    abort(exchange)
  }
}

/** Aborts a response when its client reads none of it for a minute. */
export function abortWhenIdle(exchange: Exchange, { idleMs }: Pick<ClientWaits, 'idleMs'>): void {
  exchange.outgoing.setTimeout(idleMs, () => abort(exchange))
}

/**
 * Resets the connection. In HTTP/1.0, a client cannot distinguish the end of a response without a length from a closed
 * connection.
 */
function abort({ message }: Exchange): void {
  message.socket.resetAndDestroy()
}

/** Resolves when the client has read what was written, or is gone. */
function drained(outgoing: ServerResponse): Promise<void> {
  if (outgoing.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const proceed = () => {
      outgoing.off('drain', proceed)
      outgoing.off('close', proceed)
      resolve()
    }
    outgoing.on('drain', proceed)
    outgoing.on('close', proceed)
  })
}
