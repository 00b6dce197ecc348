import { headerText, type Mail } from './mailer.ts'

/** Returns an e-mail in nodemailer's format. `from` is the configured sender. */
export function messageOf({ id, to, subject, text }: Mail, from: string) {
  const [, domain = 'localhost'] = /@([\w.-]+)>?$/.exec(from) ?? []
  return {
    from,
    // The recipient is an object and not a string: in a string, a comma or an angle bracket in the name would make
    // nodemailer parse further addresses.
    to: { name: headerText(to.name), address: to.address },
    subject: headerText(subject),
    text,
    messageId: `<${id}@${domain}>`,
    // The header Auto-Submitted tells mail programs not to answer with an out-of-office reply.
    headers: { 'Auto-Submitted': 'auto-generated' },
    // No e-mail of this service attaches a file or a URL, so nodemailer's access to both is disabled.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
