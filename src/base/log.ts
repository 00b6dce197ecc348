import { createRequire } from 'node:module'
import { LRUCache } from 'lru-cache'
import { type DestinationStream, destination, type Logger, type LoggerOptions, pino } from 'pino'

/** Structured log. Lines may contain ids, never tokens, secrets, bodies or personal data. */
export type Log = Logger

export function openLog(level: string, stream: DestinationStream = standardError()): Log {
  const redact = ['authorization', 'token', 'secret']
  return pino(
    { level, base: null, redact, serializers: { err: describe }, hooks: { logMethod: limitRepeats() } },
    stream,
  )
}

/**
 * Returns the log stream on standard error, so that standard output contains only results. A terminal gets formatted
 * lines, any other output gets JSON.
 */
function standardError(): DestinationStream {
  if (!process.stderr.isTTY) return destination({ fd: 2, sync: false })
  // pino-pretty is loaded only when log lines go to a terminal, because a deployed process has no terminal.
  const { PinoPretty }: typeof import('pino-pretty') = createRequire(import.meta.url)('pino-pretty')
  return PinoPretty({ destination: 2, sync: true, translateTime: 'SYS:HH:MM:ss', singleLine: true })
}

/**
 * Minimum interval between two log lines with the same error. During an outage every request logs the same error: one
 * line a second is enough and does not fill the disk.
 */
const repeatMs = 1_000

/**
 * Maximum number of distinct errors whose repetitions the log can limit at the same time: more than a single outage
 * causes.
 */
const differentErrorsMax = 200

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>

/**
 * Drops a log line if the same error was logged within the last second. The next line with this error contains the
 * number of dropped lines as `repeats`.
 */
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

/**
 * Returns a key by which log lines with the same error are recognised. Lines that differ only in their request id have
 * the same key. Undefined for lines without an error.
 */
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

/** Returns only the error's own fields, because a database error also contains its connection and values of rows. */
function describe(error: unknown): Described {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = 'code' in error ? error.code : undefined
  return { type: error.name, message: error.message, code, stack: error.stack }
}

export const silentLog: Log = pino({ level: 'silent' })
