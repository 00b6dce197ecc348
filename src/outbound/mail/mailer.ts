/** The implementations are an SMTP server and a folder of files for development. */
export interface Mailer {
  /** Never rejects. */
  send(mail: Mail): Promise<SendOutcome>
  /** Aborts the e-mails that are being sent. Their outcome is then unknown. */
  close(): void
}

export interface Mail {
  /** An e-mail that is sent again has the same id, so that mail programs can recognise the duplicate. */
  readonly id: string
  readonly to: { readonly name: string; readonly address: string }
  readonly subject: string
  /** Plain text. There is no HTML version, because the e-mail contains texts of merchants and providers. */
  readonly text: string
}

export type SendOutcome =
  | { readonly is: 'sent' }
  /** The server rejected the recipient or the message for good. */
  | { readonly is: 'rejected'; readonly reason: string }
  /**
   * The e-mail was not sent, or it is unknown whether it was sent. Sending can be retried. `isServerDown` is true if
   * the server could not be used at all.
   */
  | { readonly is: 'failed'; readonly reason: string; readonly isServerDown: boolean }

/**
 * Maximum length of an e-mail's subject or of a name in its headers: longer than any that the service uses, and short
 * enough for a header.
 */
const headerMaxLength = 200

/** Returns a text for a header: on one line, without control characters. A line break would start another header. */
export function headerText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, headerMaxLength)
}
