import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'

/**
 * A separate process whose connections send the body of a refund request one byte at a time, between GET /start and
 * GET /stop. Its arguments are the port of the service, the number of connections of each merchant, and a token of each
 * merchant.
 */
const [port = '', connections = '', ...tokens] = process.argv.slice(2)

/**
 * Announced size of a request body. At one byte every 100 ms, the body would take 100 seconds, longer than the
 * service's time limit for a request, so no body is ever complete.
 */
const announcedBytes = 1_000
const byteEveryMs = 100

const sockets = new Set<Socket>()
let isRunning = false

function open(head: string): void {
  const socket = connect(Number(port), '127.0.0.1', () => socket.write(head))
  sockets.add(socket)
  // Each connection starts at a random time within the interval, as independent clients do. If all of them sent at the
  // same time, this process would occupy a core that it shares with the service for several milliseconds.
  let timer = setTimeout(() => {
    timer = setInterval(() => socket.write(' '), byteEveryMs)
  }, Math.random() * byteEveryMs)
  // The connection may end without a response: when the service's time limit for the request is over, or when the
  // measurement ends.
  socket.on('error', () => undefined)
  socket.on('close', () => {
    clearInterval(timer)
    sockets.delete(socket)
    if (isRunning) open(head)
  })
  socket.resume()
}

const server = createServer((incoming, response) => {
  isRunning = incoming.url === '/start'
  if (isRunning) {
    for (const token of tokens) {
      const head = `POST /api/v1/refunds HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${announcedBytes}\r\n\r\n{`
      for (let count = 0; count < Number(connections); count++) open(head)
    }
  } else for (const socket of sockets) socket.destroy()
  response.end()
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) process.send?.({ port: address.port })
})
