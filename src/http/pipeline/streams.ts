import type { Log } from '../../base/log.ts'
import type { Reply } from '../../operations/execute/call.ts'
import { Refusal } from '../../operations/execute/refusal.ts'
import type { ClientWaits } from './client-waits.ts'
import type { Exchange } from './exchange.ts'

export type Stream = Extract<Reply, { is: 'stream' }>

/**
 * Supervises the responses that are generated while they are sent. A response that cannot be completed is aborted: its
 * connection is reset, so that the client sees an error and never a complete response. Closing the connection is not
 * enough: an HTTP/1.0 client would treat it as the end of a response without a length.
 */
export interface Streams {
  /**
   * Returns the parts of a response. The response is aborted if a part fails, or if the client reads nothing for a
   * minute although bytes are waiting for it. The parts end when the connection closes. Throws a Refusal, and ends the
   * parts, if the process is stopping.
   */
  supervise(exchange: Exchange, parts: Stream['parts']): Stream['parts']
  /** Aborts all streamed responses, and rejects further ones. Resolves when the aborted responses have ended. */
  stop(): Promise<void>
}

export function openStreams(log: Log, { idleMs }: Pick<ClientWaits, 'idleMs'>): Streams {
  /** The functions that abort the responses in progress, one for each response. */
  const open = new Set<() => Promise<unknown>>()
  let isStopping = false
  return {
    supervise: (exchange, parts) => {
      const { message, outgoing, requestId } = exchange
      const end = async () => parts.return?.()
      if (isStopping) {
        void end()
        throw new Refusal('service_unavailable', 'This process is stopping. Start the export again.')
      }
      exchange.streamedAtMs = performance.now()
      let isAborted = false
      const abort = (cause: string, error?: unknown) => {
        if (isClosed(exchange)) return
        isAborted = true
        log[error === undefined ? 'info' : 'error']({ err: error, requestId }, `A response was aborted: ${cause}`)
        message.socket.resetAndDestroy()
      }
      const ended = nextEvent(exchange, ['close']).then(() => {
        open.delete(stop)
        if (!outgoing.writableFinished && !isAborted)
          log.info({ requestId }, 'A connection was closed before its response was complete.')
        return end()
      })
      const stop = () => {
        abort('the process is stopping.')
        return ended
      }
      open.add(stop)
      // Each write restarts the timer. If the timer ends after all written bytes were sent, the delay is not caused by
      // the client, which waits for the service. The response is then not aborted.
      outgoing.setTimeout(idleMs, () => {
        if (outgoing.writableLength > 0) abort('its client reads nothing.')
      })
      return supervised(parts, (error) => abort('a part failed.', error))
    },
    stop: async () => {
      isStopping = true
      await Promise.all([...open].map((stop) => stop()))
    },
  }
}

/**
 * Returns the parts of a response. If the generation of a part fails, `onFailure` is called and the parts end without
 * an error. The writer of the aborted response therefore needs no error handling.
 */
function supervised(parts: Stream['parts'], onFailure: (error: unknown) => void): Stream['parts'] {
  const iterator: Stream['parts'] = {
    next: async () => {
      try {
        return await parts.next()
      } catch (error) {
        onFailure(error)
        return { done: true, value: undefined }
      }
    },
    return: async () => (await parts.return?.()) ?? { done: true, value: undefined },
    [Symbol.asyncIterator]: () => iterator,
  }
  return iterator
}

export function isClosed({ message, outgoing }: Exchange): boolean {
  return outgoing.destroyed || message.socket.destroyed
}

/**
 * Resolves at the first of the events of a response, or when its connection closes. A response that waits for the
 * responses to earlier requests on its connection emits no `close`.
 */
export function nextEvent(exchange: Exchange, events: readonly ('drain' | 'close')[]): Promise<void> {
  const { message, outgoing } = exchange
  if (isClosed(exchange)) return Promise.resolve()
  return new Promise((resolve) => {
    const proceed = () => {
      for (const event of events) outgoing.off(event, proceed)
      message.socket.off('close', proceed)
      resolve()
    }
    for (const event of events) outgoing.on(event, proceed)
    message.socket.on('close', proceed)
  })
}
