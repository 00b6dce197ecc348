import { z } from 'zod'
import type { SafeFetch } from '../../outbound/safe-fetch.ts'
import { type Outcome, type RefusalCode, refusalCodes, type UnknownCause } from './carrier.ts'
import { parseJson } from './parse-json.ts'

/** Classifies a response of a simulated carrier, mainly by whether the simulated carrier may have created an order. */
export function classifySimulatorResponse<Schema extends z.ZodType>(
  outcome: Awaited<ReturnType<SafeFetch['fetch']>>,
  schema: Schema,
): Outcome<z.output<Schema>> {
  if (outcome.is === 'failed') {
    // If no connection to the simulated carrier was established, the request was not sent.
    if (outcome.isReused === null) {
      return {
        is: 'unavailable',
        message: `The carrier could not be reached: ${outcome.errorCode}.`,
        retryAfterSeconds: undefined,
      }
    }
    return unknown(outcome.errorCode === 'timeout' ? 'timeout' : 'reset', `No response: ${outcome.errorCode}.`)
  }
  const { status } = outcome
  const body = parseJson(outcome.body)
  if (status >= 200 && status <= 299) {
    const read = schema.safeParse(body)
    if (read.success) return { is: 'ok', value: read.data }
    return unknown('bad_response', `The carrier’s response (${status}) cannot be parsed.`)
  }
  if (status >= 500) return unknown('server_error', `The carrier responded with status ${status}.`)
  const refusal = Refusal.safeParse(body)
  if (!refusal.success) return unknown('bad_response', `The carrier’s response (${status}) cannot be parsed.`)
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
