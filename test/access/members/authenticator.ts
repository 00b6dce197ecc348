import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** A passkey in software: an ES256 key that verifies its user and sends no attestation. */
export function openAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  const credentialId = id.toString('base64url')
  let counter = 0

  const clientDataOf = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const authenticatorDataOf = (flags: number, attested = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(new URL(origin).hostname), Buffer.of(flags), count, attested])
  }
  const envelope = (response: object) => ({
    ...{ id: credentialId, rawId: credentialId, type: 'public-key', clientExtensionResults: {}, response },
  })

  return {
    credentialId,
    create: (challenge: string) => {
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.of(0, id.length), id, coseKeyOf(x, y)])
      const data = authenticatorDataOf(userPresent | userVerified | hasCredential, attested)
      return envelope({
        clientDataJSON: clientDataOf('webauthn.create', challenge).toString('base64url'),
        attestationObject: attestationOf(data).toString('base64url'),
        transports: ['internal'],
      })
    },
    get: (challenge: string, { isVerified = true }: { isVerified?: boolean } = {}) => {
      counter += 1
      const clientData = clientDataOf('webauthn.get', challenge)
      const data = authenticatorDataOf(userPresent | (isVerified ? userVerified : 0))
      const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), privateKey)
      return envelope({
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      })
    },
    /** Sets the signature counter of the passkey back, as if a copy of the key were in use. */
    clone: () => {
      counter -= 1
    },
  }
}

/** The flags of the authenticator data (WebAuthn 6.1). */
const userPresent = 0x01
const userVerified = 0x04
const hasCredential = 0x40

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

/** The public key in CBOR: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}. */
function coseKeyOf(x: string, y: string): Buffer {
  const [left, right] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
  const head = Buffer.from('a5010203262001215820', 'hex')
  return Buffer.concat([head, left, Buffer.from('225820', 'hex'), right])
}

/** The attestation object in CBOR: {fmt: "none", attStmt: {}, authData: data}. */
function attestationOf(data: Buffer): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.of(0x60 + value.length), Buffer.from(value)])
  const bytes = Buffer.concat([Buffer.of(0x58, data.length), data])
  const parts = [text('fmt'), text('none'), text('attStmt'), Buffer.of(0xa0), text('authData'), bytes]
  return Buffer.concat([Buffer.of(0xa3), ...parts])
}
