/** Messages of the PostgreSQL protocol: a byte for the type, and four for the length, which includes itself. */
export interface Message {
  readonly type: string
  readonly bytes: Buffer
}

const typeBytes = 1
const lengthBytes = 4

/** Returns a function that takes chunks of a connection and returns the messages that they complete. */
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

/** Returns the text of a message from an offset to the zero byte that ends it. */
export function textAt({ bytes }: Message, offset: number): string {
  return bytes.toString('utf8', offset, bytes.indexOf(0, offset))
}

/** The offset of the first field. */
export const bodyOffset = typeBytes + lengthBytes
