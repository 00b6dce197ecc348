import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction, connect as openSocket, type Socket } from 'node:net'
import { createSecureContext, connect as openTlsSocket, type SecureContext, type TLSSocket } from 'node:tls'
import { type AddressPolicy, isAllowedAddress } from './address-policy.ts'
import { withoutBrackets } from './check-url.ts'
import { FetchError } from './fetch-error.ts'
import { elapsedMs, type OutboundAttempt } from './outbound-attempt.ts'
import type { Resolver } from './resolver.ts'
import { openTlsSessions } from './tls-sessions.ts'

/**
 *   resolve ──> check every address ──> connect to a checked address ──> check the peer ──> TLS, by the host name
 *
 * A host name is resolved once, and the socket connects to one of the checked addresses, so that a second DNS response
 * cannot redirect it (DNS rebinding). A reused socket was checked when it was opened.
 */
export type Connect = (url: URL, attempt: OutboundAttempt) => Promise<Socket>

interface ConnectOptions {
  readonly policy: AddressPolicy
  readonly resolver: Resolver
  readonly nowMs: () => number
}

/**
 * Connection timeout for each of several addresses. Node abandons an address after this timeout, and a distant receiver
 * could not be reached within Node's default of 250 ms. Two seconds also allow for one retransmission of a lost packet.
 */
const addressTimeoutMs = 2_000

/** Interval in milliseconds of TCP keep-alive probes, which detect dead peers of idle connections. */
const keepAliveProbeMs = 60_000

export function openConnector({ policy, resolver, nowMs }: ConnectOptions): Connect {
  // The TLS context is created once, at the first TLS connection, because loading the system's certificate authorities
  // is slow and takes megabytes of memory. Verification is not configurable.
  let secureContext: SecureContext | undefined
  const sessions = openTlsSessions()

  const openTls = (url: URL, common: { readonly host: string; readonly lookup: LookupFunction }): TLSSocket => {
    const session = sessions.find(url.host)
    const socket = openTlsSocket({
      ...common,
      port: Number(url.port || 443),
      secureContext,
      // `rejectUnauthorized` is explicit, because NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment would change its
      // default.
      rejectUnauthorized: true,
      // An IP address cannot be sent as the server name in TLS. For a host given by its IP address, the certificate is
      // therefore verified against the address.
      servername: isIP(common.host) === 0 ? common.host : '',
      ALPNProtocols: ['http/1.1'],
      ...(session === undefined ? {} : { session }),
    })
    sessions.keepFrom(url.host, socket)
    return socket
  }

  const establish = (url: URL, addresses: readonly LookupAddress[], attempt: OutboundAttempt) => {
    const host = withoutBrackets(url.hostname)
    const isTls = url.protocol === 'https:'
    const common = {
      host,
      lookup: pinned(addresses),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: addressTimeoutMs,
    }
    // The TLS context is created before the start time is taken, so that `connectMs` excludes its creation.
    if (isTls) secureContext ??= createSecureContext()
    const startedMs = nowMs()
    let connectedMs = startedMs
    const socket = isTls ? openTls(url, common) : openSocket({ ...common, port: Number(url.port || 80) })
    socket.setNoDelay(true).setKeepAlive(true, keepAliveProbeMs)
    return new Promise<Socket>((resolve, reject) => {
      attempt.stop = (reason) => socket.destroy(reason)
      socket.on('error', reject)
      socket.once('connect', () => {
        connectedMs = nowMs()
        attempt.timings.connectMs = elapsedMs(startedMs, connectedMs)
        if (!isAllowedAddress(socket.remoteAddress ?? '', policy)) socket.destroy(refusal(host))
        else if (!isTls) resolve(socket)
      })
      socket.once('secureConnect', () => {
        attempt.timings.tlsMs = elapsedMs(connectedMs, nowMs())
        resolve(socket)
      })
    })
  }

  return async (url, attempt) => {
    const host = withoutBrackets(url.hostname)
    const family = isIP(host)
    const addresses = family === 0 ? await resolve(resolver, host, attempt, nowMs) : [{ address: host, family }]
    // A host with even one disallowed address is refused: a DNS response with allowed and disallowed addresses is an
    // attack or a mistake.
    if (!addresses.every(({ address }) => isAllowedAddress(address, policy))) throw refusal(host)
    if (addresses.length === 0) throw new FetchError('dns', `${host} has no address.`)
    return establish(url, addresses, attempt)
  }
}

function resolve(resolver: Resolver, host: string, attempt: OutboundAttempt, nowMs: () => number) {
  const startedMs = nowMs()
  return new Promise<readonly LookupAddress[]>((fulfil, reject) => {
    attempt.stop = reject
    resolver.resolve(host).then((addresses) => {
      attempt.timings.dnsMs = elapsedMs(startedMs, nowMs())
      fulfil(addresses)
    }, reject)
  })
}

/** The error does not contain the address, because the address would reveal internal networks. */
function refusal(host: string): FetchError {
  return new FetchError('destination_refused', `${host} has an address that is not public.`)
}

/** Returns a lookup function that yields the checked addresses for any name. Node expects an asynchronous callback. */
function pinned(addresses: readonly LookupAddress[]): LookupFunction {
  return (_, options, callback) => {
    const [first] = addresses
    process.nextTick(() => {
      if (options.all === true) callback(null, [...addresses])
      else callback(null, first?.address ?? '', first?.family)
    })
  }
}
