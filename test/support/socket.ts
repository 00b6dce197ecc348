import { connect } from 'node:net'
import type { TestApi } from './api.ts'

/**
 * Sends bytes that need not be valid HTTP to the service. Resolves with everything that the service sends until it
 * closes the connection.
 */
export function sendBytes(api: TestApi, bytes: string | Buffer, encoding: BufferEncoding = 'utf8'): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(api.port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('end', () => socket.end())
    socket.on('close', () => resolve(Buffer.concat(chunks).toString(encoding)))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // An error of the connection after the response is ignored, because the server may reject the rest of the
      // request.
      if (chunks.length === 0) reject(error)
    })
  })
}

export interface Parsed {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
}

export function parseAnswer(answer: string): Parsed {
  const end = answer.indexOf('\r\n\r\n')
  const [first = '', ...lines] = answer.slice(0, end).split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return { status: Number(first.split(' ')[1]), headers: new Map(headers), text: answer.slice(end + 4) }
}
