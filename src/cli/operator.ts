import { hostname, userInfo } from 'node:os'
import type { Actor } from '../store/core/audit.ts'

/** Who the audit log names for what is done by a command: the account of the operating system and the machine. */
export const operator: Actor = {
  type: 'operator',
  id: null,
  label: `${accountName()}@${hostname()}`,
  sourceIp: null,
  requestId: null,
  userAgent: null,
}

/** In a container the account may have no name. */
function accountName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
