import { headerText, type Mail } from './mailer.ts'

/** Returns an e-mail in the form of nodemailer. `from` is the configured sender. */
export function messageOf({ id, to, subject, text }: Mail, from: string) {
  const [, domain = 'localhost'] = /@([\w.-]+)>?$/.exec(from) ?? []
  return {
    from,
    // An object, because a name with a comma or an angle bracket would otherwise be read as further addresses.
    to: { name: headerText(to.name), address: to.address },
    subject: headerText(subject),
    text,
    messageId: `<${id}@${domain}>`,
    // Mail programs must not answer it with an out-of-office reply.
    headers: { 'Auto-Submitted': 'auto-generated' },
    // The texts never name a file or a URL to attach.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
