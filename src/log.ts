import { destination, type Logger, pino } from 'pino'

/** Structured log lines. Ids are fine in them; tokens, secrets, bodies and personal data never are. */
export type Log = Logger

export function openLog(level: string): Log {
  // Standard error keeps standard output free for what a person or a script reads.
  return pino({ level, base: null, redact: ['authorization', 'token', 'secret'] }, destination({ fd: 2, sync: false }))
}

export const silentLog: Log = pino({ level: 'silent' })
