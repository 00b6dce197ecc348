import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { isIPv4 } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Lookup } from '../../src/outbound/resolver.ts'

/** Addresses of both families and names (an alias), or the way in which no address is given. */
export type DnsAnswer = readonly string[] | 'no_such_name' | 'server_failure' | 'silence'

export interface DnsServer {
  /** What it says of a name: the first answer to the first look-up, and so on; the last one for ever. */
  readonly zone: Map<string, DnsAnswer[]>
  /** How often addresses of a name were asked for. */
  readonly asked: Map<string, number>
  readonly lookup: Lookup
}

const types = { a: 1, cname: 5, aaaa: 28 } as const
const replyCodes = { no_such_name: 3, server_failure: 2 } as const

/** A name server on a real socket, asked by a real resolver. */
export async function openDnsServer(): Promise<DnsServer> {
  const zone = new Map<string, DnsAnswer[]>()
  const asked = new Map<string, number>()
  const socket = createSocket('udp4')
  socket.on('message', (message, from) => {
    const { name, type } = readQuestion(message)
    if (type === types.a) asked.set(name, (asked.get(name) ?? 0) + 1)
    const answers = zone.get(name) ?? ['no_such_name']
    const answer = answers[Math.min(asked.get(name) ?? 1, answers.length) - 1] ?? 'no_such_name'
    if (answer !== 'silence') socket.send(reply(message, type, answer, zone), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  onTestFinished(() => void socket.close())
  const resolver = new Resolver({ timeout: 100, tries: 1 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  onTestFinished(() => resolver.cancel())
  return { zone, asked, lookup: (host) => lookUp(resolver, host) }
}

/** Both families, one after the other so that a look-up is one step in the zone's list of answers. */
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

/** One question follows the head of twelve bytes: its labels, each after its length, an empty one, type and class. */
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
  const head = Buffer.from(question.subarray(0, 12))
  // An answer with authority, to which recursion was available.
  head.writeUInt16BE(0x8580 | (typeof answer === 'string' ? replyCodes[answer] : 0), 2)
  head.writeUInt16BE(records.length, 6)
  // Neither authorities nor additions, which the question may have had.
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, question.subarray(12, end), ...records])
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
  // The time to live stays 0: nothing but the service itself may keep an answer here.
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
