import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction, connect as openSocket, type Socket } from 'node:net'
import { createSecureContext, connect as openTlsSocket, type TLSSocket } from 'node:tls'
import { type AddressPolicy, isAllowedAddress } from './address-policy.ts'
import { withoutBrackets } from './check-url.ts'
import { FetchError } from './fetch-error.ts'
import { elapsedMs, type OutboundAttempt } from './outbound-attempt.ts'
import type { Resolver } from './resolver.ts'
import { openTlsSessions } from './tls-sessions.ts'

/**
 *   resolve ──> judge every address ──> connect to these and no others ──> judge the peer ──> TLS, by the name
 *
 * A name is resolved once and connected to by the very addresses that were judged, so that a second answer cannot lead
 * elsewhere. A socket that is used again was judged when it was opened.
 */
export type Connect = (url: URL, attempt: OutboundAttempt) => Promise<Socket>

interface ConnectOptions {
  readonly policy: AddressPolicy
  readonly resolver: Resolver
  readonly nowMs: () => number
}

/**
 * How long one of several addresses is tried before the next. Node gives up the earlier one, so its own quarter of a
 * second would never reach a distant receiver; this also outlasts a first packet that was lost and sent again.
 */
const addressPatienceMs = 2_000

/** A peer that vanished is noticed in the end even where no request waits for it. */
const keepAliveProbeMs = 60_000

export function openConnector({ policy, resolver, nowMs }: ConnectOptions): Connect {
  // Once, because the system's certificate authorities are in it. What is checked of a certificate is not configurable.
  const secureContext = createSecureContext()
  const sessions = openTlsSessions()

  const openTls = (url: URL, common: { readonly host: string; readonly lookup: LookupFunction }): TLSSocket => {
    const session = sessions.find(url.host)
    const socket = openTlsSocket({
      ...common,
      port: Number(url.port || 443),
      secureContext,
      // Said because NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment would change the default.
      rejectUnauthorized: true,
      // An address has no name to be asked for by; the certificate is then held against the address.
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
      autoSelectFamilyAttemptTimeout: addressPatienceMs,
    }
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
    // One address that is not allowed refuses them all: a mixed answer is an attack, or a mistake no merchant needs.
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

/** It names the host and never the address, so that nobody can map our network by asking. */
function refusal(host: string): FetchError {
  return new FetchError('destination_refused', `${host} is not at a public address.`)
}

/** Answers with what was judged, whatever is asked. Node expects no answer before its call has returned. */
function pinned(addresses: readonly LookupAddress[]): LookupFunction {
  return (_, options, callback) => {
    const [first] = addresses
    process.nextTick(() => {
      if (options.all === true) callback(null, [...addresses])
      else callback(null, first?.address ?? '', first?.family)
    })
  }
}
