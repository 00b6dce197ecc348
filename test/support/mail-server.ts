import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'
import type { SmtpServer } from '../../src/outbound/mail/smtp-mailer.ts'

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** The headers and the body, exactly as the client sent them. */
  readonly raw: string
  /** The plain text part of the e-mail. */
  readonly text: string
  /** The headers of the e-mail, each on one line, with names in lower case. */
  readonly headers: ReadonlyMap<string, readonly string[]>
}

export interface MailServer {
  readonly received: ReceivedMail[]
  readonly server: SmtpServer
}

/** Starts an SMTP server on this machine, which stops at the end of the test. */
export async function openMailServer(options: SMTPServerOptions = {}, port = 0): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        received.push(mailOf(Buffer.concat(chunks).toString(), session.envelope))
        callback()
      })
    },
    ...options,
  })
  // A client that no longer waits for the server ends its connection, which raises an error on the server's socket. The
  // error does not fail the test.
  smtp.on('error', () => undefined)
  await new Promise<void>((resolve) => void smtp.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => smtp.close(() => resolve())))
  const { port: opened } = addressOf(smtp.server.address())
  return { received, server: { host: '127.0.0.1', port: opened, isTls: false, credentials: null } }
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('The server listens on a port.')
  return address
}

interface Envelope {
  readonly mailFrom: false | { readonly address: string }
  readonly rcptTo: readonly { readonly address: string }[]
}

function mailOf(raw: string, { mailFrom, rcptTo }: Envelope): ReceivedMail {
  const end = raw.indexOf('\r\n\r\n')
  const headers = new Map<string, string[]>()
  for (const line of raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const [name = '', ...rest] = line.split(':')
    const values = headers.get(name.toLowerCase()) ?? []
    headers.set(name.toLowerCase(), [...values, rest.join(':').trim()])
  }
  return {
    from: mailFrom === false ? '' : mailFrom.address,
    to: rcptTo.map(({ address }) => address),
    raw,
    text: decoded(raw.slice(end + 4), headers.get('content-transfer-encoding')?.[0]),
    headers,
  }
}

function decoded(body: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
