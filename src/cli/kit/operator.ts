import { hostname, userInfo } from 'node:os'
import { readOperatorOrigin } from '../../base/config.ts'
import type { Actor } from '../../store/core/audit.ts'

const { account = accountName(), address } = readOperatorOrigin()

/**
 * The actor of commands in the audit log: the account and host name, and the network address of the person who runs the
 * command.
 */
export const operator: Actor = {
  type: 'operator',
  id: null,
  label: `${account}@${hostname()}`,
  sessionId: null,
  sourceIp: address,
  requestId: null,
  userAgent: null,
}

/** Returns the name of the operating system account, or its uid, because an account in a container may have no name. */
function accountName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
