import type { Mail } from '../outbound/mail/mailer.ts'
import type { ClaimedMail } from '../store/notifications/mails.ts'
import { lagosTimeOf } from './facts.ts'
import { messageOf } from './messages.ts'

/**
 * Without a configured public URL, the e-mail names commands instead of links, because there is no request from which
 * the origin could be read.
 */
export function mailOf(claimed: ClaimedMail, publicUrl: string | undefined): Mail {
  const { merchantId, notificationId, memberId, kind, merchantName, memberName, email, auditHead } = claimed
  const { title, text, link, command } = messageOf(claimed)
  const act =
    publicUrl === undefined
      ? `Details, at the command line of the service:\n${command}`
      : `${link.label}, as a member of ${merchantName}:\n${publicUrl}/dashboard${link.path}`
  const preferences =
    publicUrl === undefined
      ? 'in the dashboard, under Notifications, E-mails'
      : `here: ${publicUrl}/dashboard/notifications/preferences`
  const lines = [
    `Hello ${memberName},`,
    `${merchantName}: ${title}.`,
    text,
    act,
    `Time: ${lagosTimeOf(claimed.createdAt)} (Lagos). Notification ${notificationId}, merchant ${merchantId}.`,
    // This line stores the head of the audit log, its last signed hash, outside the database. A later verification
    // compares the log with the head, and thereby proves that no earlier row was replaced. The daily e-mail about the
    // heads already contains the head in its text, so only e-mails of other kinds get this line.
    ...(auditHead === null || kind === 'audit_log.heads'
      ? []
      : [`Head of the audit log, for a later verification: ${auditHead}`]),
    `You get this e-mail because you are a member of ${merchantName}. Change your e-mail settings ${preferences}.`,
  ]
  return {
    id: `${notificationId}.${memberId}`,
    to: { name: memberName, address: email },
    subject: `${merchantName}: ${title}`,
    text: `${lines.join('\n\n')}\n`,
  }
}
