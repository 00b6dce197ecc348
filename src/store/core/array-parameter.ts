/**
 * Encodes arrays as parameters in PostgreSQL’s binary format. The server reads them in less time than JSON or the text
 * format, because it does not scan the elements for quotes and escapes.
 */

/** The object identifiers of the element types in `pg_type`, which are the same on every server. */
const elementOids = { bigint: 20, boolean: 16, bytea: 17, integer: 23, text: 25 } as const

export type ArrayElementType = keyof typeof elementOids

const elementKinds = {
  bigint: 'an integer number',
  boolean: 'a boolean',
  bytea: 'a Buffer',
  integer: 'an integer number',
  text: 'a string',
}

/** Bytes of the header of a one-dimensional array: dimensions, null flag, element type, length and lower bound. */
const headerBytes = 20

/** The length field of a null element in an encoded array. */
const nullLength = -1

/**
 * Encodes an array of one dimension. `undefined` becomes null, as in JSON. Throws a TypeError for an element of another
 * type, and a RangeError for a number that the type cannot hold.
 */
export function encodeArray(type: ArrayElementType, elements: readonly unknown[]): Buffer {
  const lengths = elements.map((element) => lengthOf(type, element))
  const bytes = lengths.reduce((sum, length) => sum + 4 + Math.max(0, length), headerBytes)
  const buffer = Buffer.allocUnsafe(bytes)
  buffer.writeInt32BE(1, 0)
  buffer.writeInt32BE(lengths.includes(nullLength) ? 1 : 0, 4)
  buffer.writeInt32BE(elementOids[type], 8)
  buffer.writeInt32BE(elements.length, 12)
  buffer.writeInt32BE(1, 16)
  let offset = headerBytes
  for (const [index, element] of elements.entries()) {
    const length = lengths[index] ?? nullLength
    offset = buffer.writeInt32BE(length, offset)
    if (length !== nullLength) offset += writeElement(buffer, element, { type, offset })
  }
  return buffer
}

function lengthOf(type: ArrayElementType, element: unknown): number {
  if (element === null || element === undefined) return nullLength
  if (type === 'integer' && Number.isInteger(element)) return 4
  if (type === 'bigint' && Number.isInteger(element)) return 8
  if (type === 'text' && typeof element === 'string') return Buffer.byteLength(element)
  if (type === 'boolean' && typeof element === 'boolean') return 1
  if (type === 'bytea' && Buffer.isBuffer(element)) return element.length
  // The error message does not contain the value, which may be personal data.
  throw new TypeError(`An element of ${type}[] must be ${elementKinds[type]}.`)
}

/** Returns the number of written bytes. */
function writeElement(
  buffer: Buffer,
  element: unknown,
  { type, offset }: { readonly type: ArrayElementType; readonly offset: number },
): number {
  if (typeof element === 'string') return buffer.write(element, offset)
  if (Buffer.isBuffer(element)) return element.copy(buffer, offset)
  if (typeof element === 'boolean') return buffer.writeUInt8(element ? 1 : 0, offset) - offset
  const number = Number(element)
  return type === 'integer'
    ? buffer.writeInt32BE(number, offset) - offset
    : buffer.writeBigInt64BE(BigInt(number), offset) - offset
}
