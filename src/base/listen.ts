import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** A server cannot listen at its configured address. The message is written for the operator. */
export class ListenError extends Error {}

export interface ListenAddress {
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
  /** Names of the settings that configure the host and the port of the server, for error messages. */
  readonly settings: { readonly host: string; readonly port: string }
  /**
   * Whether several processes may listen on the same port. Linux and FreeBSD then divide the connections among them.
   */
  readonly isShared?: boolean
}

/** Resolves with the URL of the server. Rejects with a ListenError. */
export function listen(server: Server, wanted: ListenAddress): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, wanted)))
    const { port, host, isShared = false } = wanted
    server.listen({ port, host, exclusive: true, reusePort: isShared }, () => {
      const address = server.address()
      const bound =
        typeof address === 'object' && address !== null ? address : { address: wanted.host, port: wanted.port }
      resolve(urlOf(bound))
    })
  })
}

/**
 * Rejects with a ListenError if another process already listens at the address. The check is needed for API processes,
 * which share one port. Without it, the kernel would let them also share the port with another service of the same
 * operating system account, and would divide the connections between both services.
 */
export async function requireFreePort(wanted: Omit<ListenAddress, 'isShared'>): Promise<void> {
  if (wanted.port === 0) return
  const server = createServer()
  await listen(server, wanted)
  const closed = once(server, 'close')
  server.close()
  await closed
}

function listenError(error: NodeJS.ErrnoException, { host, port, settings }: ListenAddress): ListenError {
  switch (error.code) {
    case 'EADDRINUSE':
      return new ListenError(`Port ${port} is already in use. Set ${settings.port} to a free port, or to 0 for any.`)
    case 'EACCES':
      return new ListenError(`This account may not listen on port ${port}. Set ${settings.port} to a port above 1023.`)
    case 'ENOTSUP':
    case 'ENOSYS':
      return new ListenError(
        'PROCESSES needs an operating system that distributes the connections of a port to several processes, such as Linux.',
      )
    default:
      return new ListenError(
        `${settings.host} ${host} is not an address of this machine (${error.code}). Set it to a local address, such as 127.0.0.1.`,
      )
  }
}

/**
 * Maps a wildcard listen address, such as 0.0.0.0, to the loopback address, because clients cannot connect to a
 * wildcard address.
 */
const reachable: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

function urlOf({ address, port }: { readonly address: string; readonly port: number }): string {
  const host = reachable[address] ?? address
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
