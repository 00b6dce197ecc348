import { join } from 'node:path'
import type { Config } from '../base/config.ts'
import type { Log } from '../base/log.ts'
import { openFileMailer } from '../outbound/mail/file-mailer.ts'
import type { Mailer } from '../outbound/mail/mailer.ts'
import { openSmtpMailer } from '../outbound/mail/smtp-mailer.ts'

/**
 * Returns the mailer of the configuration: the SMTP server, or a folder of files in development. Undefined in production
 * without a server.
 */
export function openMailer(
  { smtpServer, mailFrom, isProduction, dataDirectory }: Config,
  log: Pick<Log, 'warn'>,
): Mailer | undefined {
  if (smtpServer !== undefined) return openSmtpMailer({ server: smtpServer, from: mailFrom })
  if (!isProduction) return openFileMailer({ folder: join(dataDirectory, 'mail'), from: mailFrom })
  log.warn('SMTP_URL is not set, so members get no notifications by e-mail.')
  return undefined
}
