/**
 * Lengths of the first two parts of a PostgreSQL message: one byte for the type, and four bytes for the message's
 * length, which includes these four.
 */
export interface Message {
  readonly type: string
  readonly bytes: Buffer
}

const typeBytes = 1
const lengthBytes = 4

/** Returns a function that takes chunks of received bytes and returns the messages that each chunk completes. */
export function openMessageReader(): (chunk: Buffer) => readonly Message[] {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const messages: Message[] = []
    let start = 0
    while (rest.length - start >= typeBytes + lengthBytes) {
      const end = start + typeBytes + rest.readInt32BE(start + typeBytes)
      if (rest.length < end) break
      messages.push({ type: String.fromCharCode(rest[start] ?? 0), bytes: rest.subarray(start, end) })
      start = end
    }
    rest = rest.subarray(start)
    return messages
  }
}

/** Returns the text in a PostgreSQL message from an offset to the next zero byte. */
export function textAt({ bytes }: Message, offset: number): string {
  return bytes.toString('utf8', offset, bytes.indexOf(0, offset))
}

/** The offset of the first field in a PostgreSQL message, after the message's type and length. */
export const bodyOffset = typeBytes + lengthBytes
