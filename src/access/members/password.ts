import { argon2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { randomKey } from '../../base/ids.ts'
import { openKeyedQueue, QueueRefused } from '../../store/core/keyed-queue.ts'
import { commonPasswords } from './common-passwords.ts'

export type PasswordProblem = 'too_short' | 'too_long' | 'is_email' | 'too_common'

/**
 * Minimum and maximum length of a password in characters. The delays after failed sign-ins allow too few guesses to
 * find a password of 12 characters. Generated passwords are shorter than 128 characters.
 */
export const passwordLength = { min: 12, max: 128 } as const

export function passwordProblemOf(password: string, email: string): PasswordProblem | undefined {
  // The length in UTF-16 units is checked first, so that a huge text is not normalised. A character has at most two
  // such units.
  if (password.length > 2 * passwordLength.max) return 'too_long'
  const length = [...password.normalize('NFKC')].length
  if (length < passwordLength.min) return 'too_short'
  if (length > passwordLength.max) return 'too_long'
  const plain = password.normalize('NFKC').toLowerCase()
  if (plain === email.toLowerCase()) return 'is_email'
  return commonPasswords.has(plain) || new Set(plain).size === 1 ? 'too_common' : undefined
}

/**
 * Cost of a password hash. It is the minimum that OWASP recommends for argon2id: 19 MiB of memory, two passes, one
 * lane.
 */
const cost = { memory: 19_456, passes: 2, parallelism: 1 } as const
const saltBytes = 16
const hashBytes = 32

/**
 * Queue of passwords to hash or verify. Two run at once, on two cores. At most 64 wait, which is up to ten seconds of
 * work; further callers must try again later.
 */
const queue = openKeyedQueue({ atOnce: 2, waitingMax: 64, waitMs: 10_000 })

const derive = promisify(argon2)

/** Returns undefined when too many passwords are being hashed. */
export async function hashPassword(password: string): Promise<string | undefined> {
  const salt = randomKey(saltBytes)
  const hash = await inQueue(() => deriveKey(password, { salt, ...cost }))
  if (hash === undefined) return undefined
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`
}

/**
 * A hash that matches no password, but whose verification costs the same as that of a real hash. It is verified for an
 * unknown user, so that the response takes as long as for a wrong password.
 */
const dummyHash = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(Buffer.alloc(saltBytes))}$${unpadded(Buffer.alloc(hashBytes))}`

/** `stored` is null for a user without a password. */
export async function verifyPassword(password: string, stored: string | null): Promise<'right' | 'wrong' | 'busy'> {
  const { salt, hash, ...stretch } = parsePhc(stored ?? dummyHash)
  // A password above the maximum length is always wrong, because no such password can be set. Only its first characters
  // are verified, which takes the same time as for any other password.
  const bounded = password.slice(0, 2 * passwordLength.max)
  const derived = await inQueue(() => deriveKey(bounded, { salt, ...stretch }))
  if (derived === undefined) return 'busy'
  const isRight = timingSafeEqual(derived, hash) && stored !== null && bounded === password
  return isRight ? 'right' : 'wrong'
}

interface Stretch {
  readonly salt: Buffer
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

function deriveKey(password: string, { salt, ...parameters }: Stretch): Promise<Buffer> {
  const message = password.normalize('NFKC')
  return derive('argon2id', { message, nonce: salt, tagLength: hashBytes, ...parameters })
}

async function inQueue<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  let release: () => void
  try {
    release = await queue.enter('passwords')
  } catch (error) {
    if (error instanceof QueueRefused) return undefined
    throw error
  }
  try {
    return await work()
  } finally {
    release()
  }
}

/**
 * Stored form of a password hash, a PHC string. It contains the parameters of the hash, so that the cost can change for
 * later passwords.
 */
const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

function parsePhc(text: string): Stretch & { readonly hash: Buffer } {
  const [, memory, passes, parallelism, salt = '', hash = ''] = phc.exec(text) ?? []
  if (memory === undefined) throw new Error('A stored password hash is not in PHC string form.')
  return {
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
