// The manifest of a base backup: its files with their checksums, signed with a key derived from the encryption key. The
// manifest reveals every changed byte, and names the encryption key that a restored database needs.

import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Signer } from '../../base/signer.ts'
import { EmbeddedPostgresError, unlessMissing } from './error.ts'

export interface BackupFile {
  /** Path of a backed-up file relative to the cluster, with `/` between the parts. */
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

export interface Manifest {
  /** The major version of PostgreSQL that made the backup, such as `18`. */
  readonly major: string
  readonly systemIdentifier: string
  /** When the backup was complete. This is the earliest time to which the backup can be restored. */
  readonly endedAt: string
  readonly folders: readonly string[]
  readonly files: readonly BackupFile[]
}

const fileName = 'manifest.json'
const signatureName = 'manifest.signature'

/** Returns the fingerprint of the key with which the manifest was signed. A restore needs this key. */
export async function writeManifest(folder: string, manifest: Manifest, signer: Signer): Promise<string> {
  const text = `${JSON.stringify(manifest, null, 1)}\n`
  const signed = signer.sign(messageOf(text))
  if (signed === undefined)
    throw new EmbeddedPostgresError('The service has no encryption key with which to sign the backup.')
  const { keyId, signature } = signed
  await writeFile(join(folder, fileName), text, { mode: 0o600, flush: true })
  const signatureText = `${JSON.stringify({ keyId, signature: signature.toString('base64') })}\n`
  await writeFile(join(folder, signatureName), signatureText, { mode: 0o600, flush: true })
  return keyId
}

/** Returns undefined for a folder without a manifest. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const text = await unlessMissing(readFile(join(folder, fileName), 'utf8'))
  if (text === undefined) return undefined
  return parsed(text, isManifest) ?? damaged(join(folder, fileName))
}

/** Throws unless the manifest was signed with the encryption key and has not changed since it was signed. */
export async function requireSigned(folder: string, signer: Signer, keyPlace: string): Promise<void> {
  const [text, signatureText] = await Promise.all(
    [fileName, signatureName].map((name) => unlessMissing(readFile(join(folder, name), 'utf8'))),
  )
  const signed = parsed(signatureText ?? '', isSignature)
  if (text === undefined || signed === undefined) return damaged(join(folder, signatureName))
  const { keyId } = signed
  switch (signer.verify(messageOf(text), { keyId, signature: Buffer.from(signed.signature, 'base64') })) {
    case 'valid':
      return
    case 'invalid':
      return damaged(join(folder, fileName))
    case 'unknown_key':
      throw new EmbeddedPostgresError(
        `The backup needs the encryption key with the fingerprint ${keyId}, which is not in ${keyPlace}. Put the key there, then restore again.`,
      )
  }
}

export function damaged(path: string): never {
  throw new EmbeddedPostgresError(
    `The backup is damaged: ${path} differs from the file that was backed up. Restore another backup.`,
  )
}

/** The first line of the message distinguishes the signature of a manifest from signatures of other texts. */
function messageOf(text: string): string {
  return `backup manifest\n${createHash('sha256').update(text).digest('hex')}`
}

function parsed<Value>(text: string, is: (value: unknown) => value is Value): Value | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return is(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isSignature(value: unknown): value is { readonly keyId: string; readonly signature: string } {
  const { keyId, signature } = fieldsOf(value)
  return typeof keyId === 'string' && /^[0-9a-f]{16}$/.test(keyId) && typeof signature === 'string'
}

function isManifest(value: unknown): value is Manifest {
  const { major, systemIdentifier, endedAt, folders, files } = fieldsOf(value)
  const texts: readonly unknown[] = [major, systemIdentifier, endedAt]
  return (
    texts.every((text) => typeof text === 'string') &&
    Number.isFinite(Date.parse(String(endedAt))) &&
    Array.isArray(folders) &&
    folders.every(isInside) &&
    Array.isArray(files) &&
    files.every(isFile)
  )
}

function isFile(value: unknown): value is BackupFile {
  const { path, bytes, sha256 } = fieldsOf(value)
  return isInside(path) && Number.isSafeInteger(bytes) && typeof sha256 === 'string'
}

/** Reports whether a relative path cannot lead out of the folder to which it is relative. */
function isInside(path: unknown): path is string {
  return typeof path === 'string' && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
