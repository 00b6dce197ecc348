import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** A certificate that the test authority has signed. It is encoded without OpenSSL, which a machine may lack. */
export interface Certificate {
  /** PEM. */
  readonly cert: string
  /** PEM. */
  readonly key: string
}

interface Identity {
  readonly name: string
  readonly privateKey: KeyObject
}

interface Validity {
  readonly from?: Date
  readonly until?: Date
}

const yearMs = 365 * 24 * 60 * 60 * 1000

export interface Authority {
  /** PEM. */
  readonly cert: string
  issue(host: string, validity?: Validity): Certificate
}

export function openAuthority(): Authority {
  const { cert, identity } = make('Tests of the Commerce Service', undefined, {})
  return { cert, issue: (host, validity = {}) => make(host, identity, validity) }
}

export function selfSigned(host: string): Certificate {
  return make(host, undefined, {})
}

let serial = 0

function make(
  name: string,
  issuer: Identity | undefined,
  validity: Validity,
): Certificate & { readonly identity: Identity } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { from = new Date(Date.now() - yearMs), until = new Date(Date.now() + yearMs) } = validity
  const signer = issuer ?? { name, privateKey }
  serial += 1
  const isAuthority = !name.includes('.')
  const body = sequence(
    tagged(0xa0, integer(2)),
    integer(serial),
    ecdsaWithSha256,
    distinguished(signer.name),
    sequence(time(from), time(until)),
    distinguished(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(isAuthority ? authorityExtension : nameExtension(name))),
  )
  const signature = sign('sha256', body, signer.privateKey)
  const der = sequence(body, ecdsaWithSha256, tagged(0x03, Buffer.from([0]), signature))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return {
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    identity: { name, privateKey },
  }
}

/** Encodes an ASN.1 value: tag, length, content. */
function tagged(tag: number, ...content: Buffer[]): Buffer {
  const bytes = Buffer.concat(content)
  const length = bytes.length < 0x80 ? [bytes.length] : [0x82, bytes.length >> 8, bytes.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), bytes])
}

function sequence(...content: Buffer[]): Buffer {
  return tagged(0x30, ...content)
}

/** Encodes an integer below 128. */
function integer(value: number): Buffer {
  return tagged(0x02, Buffer.from([value]))
}

function identifier(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, 'hex'))
}

function time(date: Date): Buffer {
  return tagged(0x17, Buffer.from(`${date.toISOString().replace(/\D/g, '').slice(2, 14)}Z`))
}

function distinguished(commonName: string): Buffer {
  return sequence(tagged(0x31, sequence(identifier('550403'), tagged(0x0c, Buffer.from(commonName)))))
}

/** Encodes a subjectAltName extension with one dNSName. */
function nameExtension(host: string): Buffer {
  return sequence(identifier('551d11'), tagged(0x04, sequence(tagged(0x82, Buffer.from(host)))))
}

const ecdsaWithSha256 = sequence(identifier('2a8648ce3d040302'))

/** The critical basicConstraints extension, which allows a certificate to sign others. */
const authorityExtension = sequence(
  identifier('551d13'),
  tagged(0x01, Buffer.from([0xff])),
  tagged(0x04, sequence(tagged(0x01, Buffer.from([0xff])))),
)
