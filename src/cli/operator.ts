import { hostname, userInfo } from 'node:os'
import { readOperatorOrigin } from '../base/config.ts'
import type { Actor } from '../store/core/audit.ts'

const { account = accountName(), address } = readOperatorOrigin()

/** The actor of commands in the audit log: the operating system account and the host name, with the address of the person. */
export const operator: Actor = {
  type: 'operator',
  id: null,
  label: `${account}@${hostname()}`,
  sessionId: null,
  sourceIp: address,
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
