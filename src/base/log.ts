import { LRUCache } from 'lru-cache'
import { type DestinationStream, destination, type Logger, type LoggerOptions, pino } from 'pino'
import { PinoPretty } from 'pino-pretty'

/** Structured log lines. Ids are fine in them; tokens, secrets, bodies and personal data never are. */
export type Log = Logger

export function openLog(level: string, stream: DestinationStream = standardError()): Log {
  const redact = ['authorization', 'token', 'secret']
  return pino(
    { level, base: null, redact, serializers: { err: describe }, hooks: { logMethod: limitRepeats() } },
    stream,
  )
}

/**
 * Standard error keeps standard output free for what a person or a script reads. A person at a terminal gets lines to read,
 * everything else JSON.
 */
function standardError(): DestinationStream {
  if (!process.stderr.isTTY) return destination({ fd: 2, sync: false })
  return PinoPretty({ destination: 2, sync: true, translateTime: 'SYS:HH:MM:ss', singleLine: true })
}

/** An outage fails every request alike: one line a second tells as much, and does not fill the disk. */
const repeatMs = 1_000

/** More different errors than one outage causes; each is a short text. */
const differentErrorsMax = 200

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>

/** Drops a line with the same error as one of the last second. The next such line that is written counts them as `repeats`. */
function limitRepeats(): LogMethod {
  const written = new LRUCache<string, { atMs: number; repeats: number }>({ max: differentErrorsMax })
  return function limit(args, method, level) {
    const [fields, message] = args
    const key = keyOf({ fields, message, level })
    if (key === undefined) return method.apply(this, args)
    const nowMs = performance.now()
    const last = written.get(key)
    if (last !== undefined && nowMs - last.atMs < repeatMs) {
      last.repeats += 1
      return
    }
    written.set(key, { atMs: nowMs, repeats: 0 })
    if (last === undefined || last.repeats === 0) return method.apply(this, args)
    method.call(this, Object.assign({}, fields, { repeats: last.repeats }), message)
  }
}

/** Undefined for lines without an error. The id of the request is the only difference between repeats that does not count. */
function keyOf({ fields, message, level }: { fields: unknown; message: unknown; level: number }): string | undefined {
  if (typeof fields !== 'object' || fields === null || !('err' in fields)) return undefined
  const { type, code, message: cause } = describe(fields.err)
  return JSON.stringify([level, message, type, code, cause, { ...fields, err: undefined, requestId: undefined }])
}

interface Described {
  readonly message: string
  readonly type?: string
  readonly code?: unknown
  readonly stack?: string | undefined
}

/** The error itself and nothing that hangs on it: a database error carries its connection, and details of rows. */
function describe(error: unknown): Described {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = 'code' in error ? error.code : undefined
  return { type: error.name, message: error.message, code, stack: error.stack }
}

export const silentLog: Log = pino({ level: 'silent' })
