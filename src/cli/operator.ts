import { hostname, userInfo } from 'node:os'
import type { Actor } from '../store/core/audit.ts'

/** The actor of commands in the audit log: the operating system account and the host name. */
export const operator: Actor = {
  type: 'operator',
  id: null,
  label: `${accountName()}@${hostname()}`,
  sessionId: null,
  sourceIp: null,
  requestId: null,
  userAgent: null,
}

/** Returns the account's name, or its uid: in a container the account may have no name. */
function accountName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
