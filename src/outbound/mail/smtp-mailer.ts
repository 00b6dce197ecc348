import { isLoopbackHost } from '../check-url.ts'
import type { Mailer, SendOutcome } from './mailer.ts'
import { messageOf } from './message.ts'

/** The SMTP server of `SMTP_URL`. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** Whether the connection starts with TLS. Otherwise STARTTLS is required, except on this machine. */
  readonly isTls: boolean
  /** Null for a server without authentication. */
  readonly credentials: { readonly user: string; readonly pass: string } | null
}

export interface SmtpMailerOptions {
  readonly server: SmtpServer
  /** The sender, such as `Commerce <notifications@example.com>`. */
  readonly from: string
  /** Shorter timeouts, for tests. */
  readonly timeouts?: Partial<typeof defaultTimeouts>
}

const defaultTimeouts = {
  /** Time to connect, including DNS and TLS. A server that is up takes a fraction of a second. */
  connectMs: 10_000,
  /** Time for a whole e-mail. Servers may check a message for spam before they accept it. */
  totalMs: 30_000,
}

/** Returns the mailer that sends through an SMTP server, with one connection for each e-mail. */
export function openSmtpMailer({ server, from, timeouts }: SmtpMailerOptions): Mailer {
  const { connectMs, totalMs } = { ...defaultTimeouts, ...timeouts }
  const closing = new AbortController()
  const isLocal = isLoopbackHost(server.host)
  const options = {
    host: server.host,
    port: server.port,
    secure: server.isTls,
    // Over a network, passwords and texts are sent encrypted only. Connections within this machine cannot be read by others.
    requireTLS: !server.isTls && !isLocal,
    ignoreTLS: !server.isTls && isLocal,
    // Set explicitly, because NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment would change the default.
    tls: { rejectUnauthorized: true },
    ...(server.credentials === null ? {} : { auth: server.credentials, forceAuth: true }),
    dnsTimeout: connectMs,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: totalMs,
  }
  return {
    send: async (mail) => {
      // A server that sends a byte now and then never reaches the timeouts of inactivity.
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(totalMs)])
      try {
        // Loaded at the first e-mail, because it takes megabytes of memory.
        const { createTransport } = await import('nodemailer')
        await createTransport(options).sendMail({ ...messageOf(mail, from), signal })
        return { is: 'sent' }
      } catch (error) {
        return outcomeOf(error)
      }
    },
    close: () => closing.abort(),
  }
}

/**
 * Classifies an error. The reason contains no text of the server, which may contain the recipient's address. A rejected sender
 * or login is a mistake of the configuration, so it is retried like a server that is down.
 */
function outcomeOf(error: unknown): SendOutcome {
  const [code, responseCode, command]: unknown[] = ['code', 'responseCode', 'command'].map((name) =>
    Reflect.get(Object(error), name),
  )
  const reason = [code, responseCode, command].filter((part) => typeof part === 'string' || typeof part === 'number')
  const text = reason.length === 0 ? 'unknown error' : reason.join(' ')
  const isPermanent = typeof responseCode === 'number' && responseCode >= 500 && responseCode !== badSequence
  const isAboutMail = (code === 'EENVELOPE' && command === 'RCPT TO') || code === 'EMESSAGE'
  if (isAboutMail) {
    if (isPermanent) return { is: 'rejected', reason: text }
    return { is: 'failed', reason: text, isServerDown: false }
  }
  // No address that the envelope can contain.
  if (code === 'EENVELOPE' && command === 'API') return { is: 'rejected', reason: text }
  return { is: 'failed', reason: text, isServerDown: true }
}

/** The reply code for a command at the wrong time, which says nothing about the message. */
const badSequence = 503
