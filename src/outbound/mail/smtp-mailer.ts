import { isLoopbackHost } from '../check-url.ts'
import type { Mailer, SendOutcome } from './mailer.ts'
import { messageOf } from './message.ts'

/** The SMTP server of `SMTP_URL`. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** Whether the connection starts with TLS. Otherwise STARTTLS is required, unless the server is on this machine. */
  readonly isTls: boolean
  /** Null if the server requires no authentication. */
  readonly credentials: { readonly user: string; readonly pass: string } | null
}

export interface SmtpMailerOptions {
  readonly server: SmtpServer
  /** The sender of the e-mails, such as `Commerce <notifications@example.com>`. */
  readonly from: string
  /** Timeouts of the SMTP connection that replace the defaults. Tests set shorter ones. */
  readonly timeouts?: Partial<typeof defaultTimeouts>
}

const defaultTimeouts = {
  /**
   * Time limit in milliseconds to connect to the SMTP server, including DNS and TLS. A healthy server takes a fraction
   * of a second.
   */
  connectMs: 10_000,
  /** Time limit in milliseconds for a whole e-mail. Servers may check a message for spam before they accept it. */
  totalMs: 30_000,
}

/** Each e-mail is sent on a connection of its own. */
export function openSmtpMailer({ server, from, timeouts }: SmtpMailerOptions): Mailer {
  const { connectMs, totalMs } = { ...defaultTimeouts, ...timeouts }
  const closing = new AbortController()
  const isLocal = isLoopbackHost(server.host)
  const options = {
    host: server.host,
    port: server.port,
    secure: server.isTls,
    // Over a network, the mailer sends passwords and e-mails only over TLS. A connection within this machine needs no
    // TLS, because others cannot read it.
    requireTLS: !server.isTls && !isLocal,
    ignoreTLS: !server.isTls && isLocal,
    // `rejectUnauthorized` is explicit, because NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment would change its
    // default.
    tls: { rejectUnauthorized: true },
    ...(server.credentials === null ? {} : { auth: server.credentials, forceAuth: true }),
    dnsTimeout: connectMs,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: totalMs,
  }
  return {
    send: async (mail) => {
      // The time limit applies to the sending of the whole e-mail: a server that sends a byte now and then never
      // triggers the inactivity timeouts.
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(totalMs)])
      try {
        // nodemailer is loaded at the first e-mail, because it takes megabytes of memory.
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
 * Classifies an error of the SMTP client. The returned reason contains no text from the server, because such a text may
 * contain the recipient's address. A rejected sender or login is a configuration mistake, so the e-mail is retried as
 * if the server were down.
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
  // The code EENVELOPE with the command `API` means that nodemailer itself has rejected the recipient's address,
  // because no SMTP envelope can contain this address.
  if (code === 'EENVELOPE' && command === 'API') return { is: 'rejected', reason: text }
  return { is: 'failed', reason: text, isServerDown: true }
}

/** SMTP reply code for a command at the wrong time. This code does not mean that the message was rejected. */
const badSequence = 503
