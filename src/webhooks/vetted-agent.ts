import dns from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { webhookAcknowledgementSeconds } from '../../registry/limits.ts'
import { type AddressPolicy, isAllowedAddress } from './address-policy.ts'
import { withoutBrackets } from './check-url.ts'

/**
 * Connections to allowed addresses only. A name is resolved once, judged, and connected to by the very addresses that
 * were judged, so that a second answer from the resolver cannot lead elsewhere. A socket that is used again was
 * judged when it was opened.
 */

/** Its message names the host and never the address, so that nobody can map our network by asking. */
export class DestinationRefused extends Error {
  constructor(host: string) {
    super(`${host} is not at a public address.`)
  }
}

/** undici counts by origin, and many merchants may share one; the cap for each endpoint does the limiting. */
const connectionsPerOrigin = 64

/** No shorter than the whole deadline: a slow handshake before a quick answer is still in time (spec 3). */
const connectTimeoutMs = webhookAcknowledgementSeconds * 1000

/** Common servers close an idle connection after five seconds; one that is closing must not be used again. */
const keepAliveMs = 4_000

/** A session saves a handshake, 1.4 ms of processor each; undici's own default is 100. */
const tlsSessionsKept = 2_000

export function openVettedAgent(policy: AddressPolicy): Agent {
  const connect = buildConnector({
    lookup: vettedLookup(policy),
    timeout: connectTimeoutMs,
    maxCachedSessions: tlsSessionsKept,
    allowH2: false,
    autoSelectFamily: true,
  })
  return new Agent({
    connections: connectionsPerOrigin,
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    connect(options, callback) {
      const host = withoutBrackets(options.hostname)
      // No lookup happens for an address written out.
      if (isIP(host) !== 0 && !isAllowedAddress(host, policy)) {
        callback(new DestinationRefused(host), null)
        return
      }
      connect(options, (...[error, socket]) => {
        if (error !== null) {
          callback(error, null)
        } else if (isAllowedAddress(socket.remoteAddress ?? '', policy)) {
          callback(null, socket)
        } else {
          socket.destroy()
          callback(new DestinationRefused(host), null)
        }
      })
    },
  })
}

/** One address that is not allowed refuses them all: a mixed answer is an attack, or a mistake no merchant needs. */
function vettedLookup(policy: AddressPolicy): LookupFunction {
  return (host, options, callback) => {
    dns.lookup(host, { ...options, all: true, verbatim: true }, (error, addresses) => {
      const [first] = addresses ?? []
      if (error !== null) callback(error, '')
      else if (first === undefined || addresses.some(({ address }) => !isAllowedAddress(address, policy)))
        callback(new DestinationRefused(host), '')
      else if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}
