import { z } from 'zod'
import type { SafeFetch } from '../../outbound/safe-fetch.ts'
import { type Outcome, type RefusalCode, refusalCodes, type UnknownCause } from './carrier.ts'

/** What an answer of a company of test mode means: above all, whether anything may have been begun. */
export function classifySimulatorResponse<Schema extends z.ZodType>(
  outcome: Awaited<ReturnType<SafeFetch['fetch']>>,
  schema: Schema,
): Outcome<z.output<Schema>> {
  if (outcome.is === 'failed') {
    // Without a connection not a byte was sent.
    if (outcome.isReused === null) {
      return { is: 'unavailable', message: `Not reached: ${outcome.errorCode}.`, retryAfterSeconds: undefined }
    }
    return unknown(outcome.errorCode === 'timeout' ? 'timeout' : 'reset', `No answer: ${outcome.errorCode}.`)
  }
  const { status } = outcome
  const body = parsed(outcome.body)
  if (status >= 200 && status <= 299) {
    const read = schema.safeParse(body)
    if (read.success) return { is: 'ok', value: read.data }
    return unknown('bad_response', `An answer with ${status} that cannot be read.`)
  }
  if (status >= 500) return unknown('server_error', `An answer with ${status}.`)
  const refusal = Refusal.safeParse(body)
  if (!refusal.success) return unknown('bad_response', `An answer with ${status} that cannot be read.`)
  const { code, message } = refusal.data
  if (code === 'invalid_request') return { is: 'invalid', message }
  return { is: 'refused', code: knownCode(code), message }
}

const Refusal = z.object({ code: z.string(), message: z.string() })

function knownCode(code: string): RefusalCode {
  return refusalCodes.find((known) => known === code) ?? 'refused'
}

function unknown(cause: UnknownCause, message: string): Outcome<never> {
  return { is: 'unknown', cause, message }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
