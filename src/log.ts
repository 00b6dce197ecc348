import { destination, type Logger, pino } from 'pino'

/** Structured log lines. Ids are fine in them; tokens, secrets, bodies and personal data never are. */
export type Log = Logger

export function openLog(level: string): Log {
  // Standard error keeps standard output free for what a person or a script reads.
  return pino(
    { level, base: null, redact: ['authorization', 'token', 'secret'], serializers: { err: describe } },
    destination({ fd: 2, sync: false }),
  )
}

/** The error itself and nothing that hangs on it: a database error carries its connection, and details of rows. */
function describe(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = 'code' in error ? error.code : undefined
  return { type: error.name, message: error.message, code, stack: error.stack }
}

export const silentLog: Log = pino({ level: 'silent' })
