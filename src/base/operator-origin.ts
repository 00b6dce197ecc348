import { isIP } from 'node:net'

/** The operating system account and network address of the person who runs a command, for the audit log. */
export interface OperatorOrigin {
  /** The account that called sudo. Undefined if the command runs without sudo. */
  readonly account: string | undefined
  /**
   * The address from which the person connected by SSH, or the loopback address if the person works at the host itself.
   */
  readonly address: string
}

const loopback = '127.0.0.1'

/**
 * Returns the person who runs a command, from the variables that sudo and the SSH server set. The variables are no
 * proof, because an operator can set them too.
 */
export function operatorOriginOf({ SUDO_USER, SSH_CONNECTION = '' }: NodeJS.ProcessEnv): OperatorOrigin {
  // SSH_CONNECTION begins with the address and the port of the client. An IPv6 address may end with a zone, as in
  // fe80::1%eth0.
  const [client = ''] = SSH_CONNECTION.split(/[ %]/, 1)
  return { account: SUDO_USER || undefined, address: isIP(client) === 0 ? loopback : client }
}
