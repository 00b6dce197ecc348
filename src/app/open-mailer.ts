import { join } from 'node:path'
import type { Config } from '../base/config.ts'
import type { Log } from '../base/log.ts'
import type { Mailer } from '../outbound/mail/mailer.ts'

/**
 * Returns the configured mailer: an SMTP server, or a folder of files in development. Undefined in production without
 * an SMTP server. Each mailer is loaded only where it is used.
 */
export async function openMailer(
  { smtpServer, mailFrom, isProduction, dataDirectory }: Config,
  log: Pick<Log, 'warn'>,
): Promise<Mailer | undefined> {
  if (smtpServer !== undefined) {
    const { openSmtpMailer } = await import('../outbound/mail/smtp-mailer.ts')
    return openSmtpMailer({ server: smtpServer, from: mailFrom })
  }
  if (!isProduction) {
    const { openFileMailer } = await import('../outbound/mail/file-mailer.ts')
    return openFileMailer({ folder: join(dataDirectory, 'mail'), from: mailFrom })
  }
  log.warn('SMTP_URL is not set, so members get no notifications and owners get no heads of the audit log by e-mail.')
  return undefined
}
