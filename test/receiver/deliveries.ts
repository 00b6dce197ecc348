import { createHmac } from 'node:crypto'

/**
 * A webhook delivery, and whether a verifier must accept it. The receivers in all programming languages are tested with
 * a table of these deliveries.
 */
export interface ReceivedDelivery {
  readonly name: string
  readonly rawBody: Buffer
  readonly header: string | null
  readonly secrets: readonly string[]
  readonly nowSeconds: number
  readonly isAccepted: boolean
}

const now = 1_795_336_200
const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
const newSecret = `whsec_${Buffer.alloc(32, 2).toString('base64')}`
const strangeSecret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`
const body = Buffer.from(
  '{"id":"evt_01jd3f8q6hf5n8v1zr4c7e2m9k","event":"order.created","data":{"note":"Bálogun 👗 \\u2028"}}',
)

/** Computes a signature with the HMAC of Node.js, without the tested code. */
function hex(key: string, timestamp: number | string, bytes: Buffer): string {
  return createHmac('sha256', key).update(`${timestamp}.`).update(bytes).digest('hex')
}

function signed(timestamp: number | string, bytes = body, ...keys: string[]): string {
  const all = keys.length === 0 ? [secret] : keys
  return [`t=${timestamp}`, ...all.map((key) => `v1=${hex(key, timestamp, bytes)}`)].join(',')
}

type Changes = Partial<Omit<ReceivedDelivery, 'name' | 'isAccepted'>>

function accepted(name: string, changes: Changes): ReceivedDelivery {
  return { name, rawBody: body, header: signed(now), secrets: [secret], nowSeconds: now, ...changes, isAccepted: true }
}

function refused(name: string, changes: Changes): ReceivedDelivery {
  return { ...accepted(name, changes), isAccepted: false }
}

const flipped = Buffer.from(body)
flipped[20] = (flipped[20] ?? 0) ^ 1
const notUtf8 = Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d])
const digest = hex(secret, now, body)
const empty = Buffer.alloc(0)

export const deliveries: readonly ReceivedDelivery[] = [
  accepted('a valid delivery', {}),
  accepted('a body that is not UTF-8', { rawBody: notUtf8, header: signed(now, notUtf8) }),
  accepted('an empty body with its signature', { rawBody: empty, header: signed(now, empty) }),
  refused('an empty body with the signature of another body', { rawBody: empty }),
  refused('an altered body', { rawBody: flipped }),
  refused('a body with an added line break', { rawBody: Buffer.concat([body, Buffer.from('\n')]) }),
  refused('a body that was parsed and serialised again', {
    rawBody: Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 2)),
  }),
  refused('another secret', { header: signed(now, body, strangeSecret) }),
  refused('another timestamp than the signed one', { header: `t=${now + 1},v1=${digest}` }),
  accepted('300 seconds old', { header: signed(now - 300) }),
  refused('301 seconds old', { header: signed(now - 301) }),
  accepted('300 seconds ahead', { header: signed(now + 300) }),
  refused('301 seconds ahead', { header: signed(now + 301) }),
  refused('ten days ahead', { header: signed(now + 864_000) }),
  accepted('two signatures, and the old secret', { header: signed(now, body, newSecret, secret) }),
  accepted('two signatures, and the new secret', {
    header: signed(now, body, newSecret, secret),
    secrets: [newSecret],
  }),
  accepted('one signature, and both secrets', { secrets: [newSecret, secret] }),
  refused('two signatures, none with this secret', { header: signed(now, body, newSecret, strangeSecret) }),
  accepted('a wrong signature before the valid one', { header: `t=${now},v1=${'0'.repeat(64)},v1=${digest}` }),
  accepted('a too short signature before the valid one', { header: `t=${now},v1=ab,v1=${digest}` }),
  accepted('the signature before the timestamp', { header: `v1=${digest},t=${now}` }),
  accepted('unknown schemes', { header: `t=${now},v0=abc,v1=${digest},v2=def` }),
  accepted('a space after the comma', { header: `t=${now}, v1=${digest}` }),
  accepted('a signed timestamp with a leading zero', { header: signed(`0${now}`) }),
  refused('upper-case hex', { header: `t=${now},v1=${digest.toUpperCase()}` }),
  refused('a truncated signature', { header: `t=${now},v1=${digest.slice(0, 63)}` }),
  refused('an extended signature', { header: `t=${now},v1=${digest}0` }),
  refused('letters that are not hexadecimal', { header: `t=${now},v1=${'g'.repeat(64)}` }),
  refused('letters that are not ASCII', { header: `t=${now},v1=${'é'.repeat(64)}` }),
  refused('an empty signature', { header: `t=${now},v1=` }),
  refused('a signature without fields', { header: digest }),
  refused('the header format of another service', { header: `sha256=${digest}` }),
  refused('a scheme with the prefix v1', { header: `t=${now},v1a=${digest}` }),
  refused('a missing header', { header: null }),
  refused('an empty header', { header: '' }),
  refused('a missing timestamp', { header: `v1=${digest}` }),
  refused('a missing signature', { header: `t=${now}` }),
  refused('two timestamps', { header: `t=${now},t=${now},v1=${digest}` }),
  refused('an empty timestamp', { header: signed('') }),
  refused('a timestamp of letters', { header: signed('now') }),
  refused('a timestamp with a fraction', { header: signed(`${now}.5`) }),
  refused('a timestamp with a sign', { header: signed(`+${now}`) }),
  refused('a timestamp with an exponent', { header: signed('1e9') }),
  refused('a hexadecimal timestamp', { header: signed('0x6b02d1c8') }),
  refused('a timestamp in milliseconds', { header: signed(now * 1000) }),
  refused('a timestamp beyond safe integers', { header: signed('9'.repeat(30)) }),
  refused('a timestamp of full-width digits', { header: signed('１７９５３３６２００') }),
  refused('a timestamp with a superscript digit', { header: signed('²') }),
]
