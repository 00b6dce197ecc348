import { createServer, type Socket } from 'node:net'

/**
 * This process is a webhook receiver. It responds to requests to /flood with an endless stream of `103 Early Hints`,
 * and to all other requests with 204.
 */
const chunk = Buffer.from('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(1_000))

function flood(socket: Socket): void {
  while (socket.writable && socket.write(chunk));
  socket.once('drain', () => flood(socket))
}

const server = createServer((socket) => {
  // The service closes the connection of an endless response. Writing to the closed connection then raises an error,
  // which is ignored.
  socket.on('error', () => undefined)
  socket.once('data', (bytes) => {
    if (bytes.toString('latin1').startsWith('POST /flood')) flood(socket)
    else socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n')
  })
})
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) process.send?.({ port: address.port })
})
