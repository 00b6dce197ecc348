import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { isIPv4 } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Lookup } from '../../src/outbound/resolver.ts'

/** The DNS answer for a name: IPv4 and IPv6 addresses and aliases, or the kind of failure. */
export type DnsAnswer = readonly string[] | 'no_such_name' | 'server_failure' | 'silence'

export interface DnsServer {
  /**
   * The DNS answers for each name, in the order in which its lookups get them. After the last answer, further lookups
   * get the last one again.
   */
  readonly zone: Map<string, DnsAnswer[]>
  /** The number of DNS lookups of each name. */
  readonly lookups: Map<string, number>
  readonly lookup: Lookup
}

const types = { a: 1, cname: 5, aaaa: 28 } as const
const replyCodes = { no_such_name: 3, server_failure: 2 } as const

/** Starts a DNS server on a UDP socket, and a DNS resolver that queries it. */
export async function openDnsServer(): Promise<DnsServer> {
  const zone = new Map<string, DnsAnswer[]>()
  const lookups = new Map<string, number>()
  const socket = createSocket('udp4')
  socket.on('message', (message, from) => {
    const { name, type } = readQuestion(message)
    if (type === types.a) lookups.set(name, (lookups.get(name) ?? 0) + 1)
    const answers = zone.get(name) ?? ['no_such_name']
    const answer = answers[Math.min(lookups.get(name) ?? 1, answers.length) - 1] ?? 'no_such_name'
    if (answer !== 'silence') socket.send(reply(message, type, answer, zone), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  onTestFinished(() => void socket.close())
  const resolverWith = (timeout: number) => {
    const resolver = new Resolver({ timeout, tries: 1 })
    resolver.setServers([`127.0.0.1:${socket.address().port}`])
    onTestFinished(() => resolver.cancel())
    return resolver
  }
  // Only lookups that get no answer have a short timeout, because on a busy machine a short timeout would also end
  // answered lookups.
  const [patient, impatient] = [resolverWith(30_000), resolverWith(100)]
  const isSilent = (host: string) => {
    const answers = zone.get(host) ?? []
    return answers[Math.min((lookups.get(host) ?? 0) + 1, answers.length) - 1] === 'silence'
  }
  return { zone, lookups, lookup: (host) => lookUp(isSilent(host) ? impatient : patient, host) }
}

/**
 * Resolves a name to IPv4 and IPv6 addresses. The server proceeds to the next answer of a name only at an IPv4 query.
 * The IPv6 query is sent after the IPv4 query, so that both get the same answer.
 */
async function lookUp(resolver: Resolver, host: string) {
  const ipv4 = await resolver.resolve4(host).catch(noneIfNoData)
  const ipv6 = await resolver.resolve6(host).catch(noneIfNoData)
  const found = [...ipv4, ...ipv6].map((address) => ({ address, family: isIPv4(address) ? 4 : 6 }))
  if (found.length > 0) return found
  throw Object.assign(new Error('No data.'), { code: 'ENODATA' })
}

function noneIfNoData(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENODATA') return []
  throw error
}

/**
 * Reads the question of a DNS query after the 12-byte header: labels with their lengths, an empty label, type and
 * class.
 */
function readQuestion(message: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

function reply(question: Buffer, type: number, answer: Exclude<DnsAnswer, 'silence'>, zone: DnsServer['zone']): Buffer {
  const { name, end } = readQuestion(question)
  const records = typeof answer === 'string' ? [] : recordsOf(name, type, answer, zone)
  const header = Buffer.from(question.subarray(0, 12))
  // Sets the flags of a DNS response for an authoritative answer and for available recursion.
  header.writeUInt16BE(0x8580 | (typeof answer === 'string' ? replyCodes[answer] : 0), 2)
  header.writeUInt16BE(records.length, 6)
  // The response has no authority or additional records, even if the copied header of the query announces some.
  header.writeUInt32BE(0, 8)
  return Buffer.concat([header, question.subarray(12, end), ...records])
}

function recordsOf(name: string, type: number, values: readonly string[], zone: DnsServer['zone']): Buffer[] {
  return values.flatMap((value) => {
    if (/[a-z]$/.test(value) && !value.includes(':')) {
      const [target = []] = zone.get(value) ?? []
      const alias = record(name, types.cname, encodeName(value))
      return [alias, ...(typeof target === 'string' ? [] : recordsOf(value, type, target, zone))]
    }
    const kind = value.includes(':') ? types.aaaa : types.a
    return kind === type ? [record(name, kind, encodeAddress(value))] : []
  })
}

function record(name: string, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(type, 0)
  fixed.writeUInt16BE(1, 2)
  // The TTL of each DNS answer is 0, so that only the service's own cache stores answers.
  fixed.writeUInt16BE(data.length, 8)
  return Buffer.concat([encodeName(name), fixed, data])
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]))
  return Buffer.concat([...labels, Buffer.from([0])])
}

function encodeAddress(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  const [left = '', right = ''] = address.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))
  const [before, after] = [groups(left), groups(right)]
  const middle = Array.from({ length: 8 - before.length - after.length }, () => 0)
  return Buffer.from([...before, ...middle, ...after].flatMap((group) => [group >> 8, group & 0xff]))
}
