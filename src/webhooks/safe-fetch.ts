import { performance } from 'node:perf_hooks'
import { type Dispatcher, request } from 'undici'
import { webhookAcknowledgementSeconds } from '../../registry/limits.ts'
import type { AddressPolicy } from './address-policy.ts'
import { isLoopbackHost } from './check-url.ts'
import { type FetchErrorCode, fetchErrorCode } from './fetch-error.ts'
import { openVettedAgent } from './vetted-agent.ts'

/**
 * The only way out: every request this service makes to an address somebody else chose goes through here. It follows
 * no redirect, expands no compression, keeps no more than the beginning of an answer and ends on time.
 */

export interface OutboundRequest {
  readonly url: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** From the first look-up to the head of the answer. */
  readonly deadlineMs?: number
  /** What is kept of the answer's body. */
  readonly responseMaxBytes?: number
}

export type FetchOutcome =
  | { readonly is: 'answered'; readonly status: number; readonly body: string; readonly durationMs: number }
  | { readonly is: 'failed'; readonly errorCode: FetchErrorCode; readonly durationMs: number }

export interface SafeFetch {
  /** Never throws: whatever goes wrong out there is an outcome. */
  fetch(request: OutboundRequest): Promise<FetchOutcome>
  /** Closes the connections; what is under way ends as stopped. */
  close(): Promise<void>
}

/** Enough to read an error message by; the attempts' table keeps as many characters. */
const defaultResponseMaxBytes = 4096

const defaultDeadlineMs = webhookAcknowledgementSeconds * 1000

export function openSafeFetch(policy: AddressPolicy): SafeFetch {
  const agent = openVettedAgent(policy)
  let isClosed = false
  return {
    fetch: async (outbound) => {
      const startedMs = performance.now()
      const durationMs = () => Math.round(performance.now() - startedMs)
      if (!isAllowedUrl(outbound.url, policy)) return failed('destination_refused', durationMs())
      // undici's own timers miss a server that dribbles, or that sends early hints for ever. This signal does not.
      const deadline = AbortSignal.timeout(outbound.deadlineMs ?? defaultDeadlineMs)
      try {
        const response = await send(agent, outbound, deadline)
        const acknowledgedMs = durationMs()
        const body = await readBeginning(response.body, outbound.responseMaxBytes ?? defaultResponseMaxBytes)
        return { is: 'answered', status: response.statusCode, body, durationMs: acknowledgedMs }
      } catch (error) {
        if (isClosed) return failed('stopped', durationMs())
        return failed(deadline.aborted ? 'timeout' : fetchErrorCode(error), durationMs())
      }
    },
    close: () => {
      isClosed = true
      return agent.destroy()
    },
  }
}

function failed(errorCode: FetchErrorCode, durationMs: number): FetchOutcome {
  return { is: 'failed', errorCode, durationMs }
}

/** The scheme is judged here again: a URL may have been registered under another policy. */
function isAllowedUrl(text: string, policy: AddressPolicy): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  if (url.protocol === 'https:') return true
  return url.protocol === 'http:' && policy.allowsLoopback && isLoopbackHost(url.hostname)
}

/**
 * The signal makes undici let go; the race makes sure that we do, even if it should not. request() follows no
 * redirect and leaves a compressed body as it is.
 */
async function send(
  agent: Dispatcher,
  { url, method, headers, body }: OutboundRequest,
  deadline: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const answered = request(url, { dispatcher: agent, method, headers, body: body ?? null, signal: deadline })
  const expired = new Promise<never>((_, reject) => {
    deadline.addEventListener('abort', () => reject(deadline.reason), { once: true })
  })
  // One of the two loses; its rejection has nobody waiting for it.
  answered.catch(() => undefined)
  expired.catch(() => undefined)
  return Promise.race([answered, expired])
}

/** An answer's body changes nothing: what cannot be read of it in time is left out. */
async function readBeginning(body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<string> {
  body.on('error', () => undefined)
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      const bytes = Buffer.from(chunk)
      chunks.push(bytes)
      size += bytes.length
      if (size >= maxBytes) break
    }
  } catch {
    // The deadline passed or the connection broke. What came before is kept.
  }
  body.destroy()
  // PostgreSQL's text cannot hold NUL; bytes that are no UTF-8 become U+FFFD.
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, maxBytes)).replaceAll('\0', '')
}
