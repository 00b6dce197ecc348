import { z } from 'zod'
import { defaultRateLimits, type RateLimits } from '../../registry/values/rate-limits.ts'
import { parseDatabaseUrl, passwordRule } from './database-url.ts'
import { formatRateLimits, parseRateLimits } from './rate-limits.ts'

/**
 * Schemas that validate the environment variables. Each error message, such as “must be a whole number”, follows the
 * name of a variable to form a sentence.
 */

export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, { error: 'must be a whole number' })
    .transform(Number)
    .pipe(
      z
        .int()
        .min(min, { error: `must be at least ${min}` })
        .max(max, { error: `must be at most ${max}` }),
    )

/** The highest TCP port. */
export const portMax = 65_535

/** Maximum number of API processes, more than most machines have cores. */
export const processesMax = 64

/** Length of an encryption key in bytes, as AES-256 requires. */
export const encryptionKeyBytes = 32

export function keysOf(text: string): readonly Buffer[] {
  return partsOf(text).map((part) => Buffer.from(part, 'base64'))
}

export function partsOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Values of `target_session_attrs` that select a server to which the service can write. */
const writable: readonly unknown[] = [undefined, 'any', 'read-write', 'primary']

export const databaseUrl = z.string().superRefine((text, context) => {
  if (text === '') return
  const parsed = parseDatabaseUrl(text)
  if ('fault' in parsed) context.addIssue({ code: 'custom', message: parsed.fault })
  else if (!writable.includes(parsed.attributes)) context.addIssue({ code: 'custom', message: notWritable })
})

const notWritable =
  'must not have a target_session_attrs that selects standbys, because the service writes to this database'

/**
 * Values of `target_session_attrs` that select standbys. Only these values are allowed in the URL of the standbys, from
 * which the service only reads.
 */
const standbyAttributes: readonly unknown[] = [undefined, 'standby', 'prefer-standby']

export const standbyUrl = z.string().superRefine((text, context) => {
  if (text === '') return
  const parsed = parseDatabaseUrl(text)
  if ('fault' in parsed) context.addIssue({ code: 'custom', message: parsed.fault })
  else if (!standbyAttributes.includes(parsed.attributes))
    context.addIssue({
      code: 'custom',
      message: 'must have standby or prefer-standby as target_session_attrs, or none',
    })
})

/** URL of a carrier or payment provider. The address policy allows plain http:// only to this machine, for tests. */
export const partnerUrl = z.url({ protocol: /^https?$/, error: 'must be an https:// address' })

export const rateLimits = z.string().transform((line, context): RateLimits | 'off' => {
  if (line === 'off') return 'off'
  const limits = parseRateLimits(line)
  if (limits !== undefined) return limits
  context.addIssue({ code: 'custom', message: `must be off or limits such as ${formatRateLimits(defaultRateLimits)}` })
  return z.NEVER
})

/** Default ports of mail submission: with TLS from the start, and with STARTTLS (RFC 8314). */
const smtpPorts = { 'smtps:': 465, 'smtp:': 587 } as const

/**
 * Pattern of an SMTP URL without a query. In some mail libraries, a query could turn off the verification of TLS
 * certificates.
 */
const smtpForm = /^smtps?:\/\/[^/?#]+\/?$/

/**
 * Pattern of an SMTP URL whose password contains an unencoded /, ? or #. A URL parser would end the host at this
 * character.
 */
const unencodedSmtpPassword = /^smtps?:\/\/[^/?#:]*:[^/?#]*[/?#].*@/

export const smtpUrl = z
  .string()
  .refine((text) => text === '' || (smtpForm.test(text) && URL.canParse(text)), {
    error: ({ input }) =>
      unencodedSmtpPassword.test(String(input))
        ? `must be an smtp:// or smtps:// address ${passwordRule}`
        : 'must be an smtp:// or smtps:// address of a host, with a user, a password and a port if needed',
  })
  .transform((text) => (text === '' ? undefined : smtpServerOf(text)))

export function smtpServerOf(text: string) {
  const { protocol, hostname, port, username, password } = new URL(text)
  const isTls = protocol === 'smtps:'
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? smtpPorts[isTls ? 'smtps:' : 'smtp:'] : Number(port),
    isTls,
    credentials: username === '' ? null : { user: decoded(username), pass: decoded(password) },
  }
}

/** A percent sign that does not begin an encoded character stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Pattern of the sender of e-mail: an address, or a name followed by the address in angle brackets. */
export const senderForm = /^(?:[^<>"@,;:\p{Cc}]{1,80} <([^<>\s]+)>|([^<>\s]+))$/u

/**
 * Pattern of an HTTP header: its name is a token of RFC 9110, and its value is printable ASCII. Other characters could
 * add another header.
 */
const headerForm = /^([!#$%&'*+.^_`|~\w-]+)=([\x20-\x7e]+)$/

/** Returns the headers in a list such as `name=value`; undefined if the list is malformed. */
export function headersOf(text: string): Readonly<Record<string, string>> | undefined {
  const pairs = partsOf(text).map((part) => {
    const [, name, value] = headerForm.exec(part) ?? []
    return name === undefined || value === undefined ? undefined : ([name, decoded(value)] as const)
  })
  const found = pairs.filter((pair) => pair !== undefined && /^[\x20-\x7e]+$/.test(pair[1]))
  return found.length === pairs.length ? Object.fromEntries(found.filter((pair) => pair !== undefined)) : undefined
}
