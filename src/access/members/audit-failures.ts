import type { SessionId, UserId } from '../../../registry/values/vocabulary.ts'
import { changeUser, type Source } from '../../store/access/user-change.ts'
import { systemActor } from '../../store/core/audit.ts'
import type { Context } from '../../store/core/mutation.ts'

interface Failed {
  readonly userId: UserId
  readonly sessionId: SessionId | null
  readonly source: Source
  readonly failures: number
}

/**
 * Matches the failure counts 10, 100, 1000 and so on. The audit log gets rows only at these counts, so that it shows
 * every burst of failures without a row for each guess.
 */
const burst = /^10+$/

/**
 * Writes an entry to the audit logs of the user's merchants after 10, 100, 1000 and so on consecutive failed
 * authentications. The actor of the entry is the system, not the user, because another person may be guessing the
 * password.
 */
export async function auditFailures(context: Context, failed: Failed): Promise<void> {
  const { userId, sessionId, source, failures } = failed
  if (!burst.test(String(failures))) return
  const { ip, requestId, userAgent } = source
  const actor = { ...systemActor('sign-in'), sourceIp: ip, requestId, userAgent }
  const change = { userId, action: 'user.sign_in_failures' as const, source, sessionId, actor }
  await changeUser(context, change, async ({ note }) => note({ failures: [null, failures] }))
}
