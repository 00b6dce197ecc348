import { createServer } from 'node:http'

/**
 * Merchants' servers, all in one process: it reads each delivery and answers 200. Paths that begin with /hang are never
 * answered. It tells its parent when each event arrived, in lots.
 */
let arrivals: [eventId: string, path: string, atMs: number][] = []

const server = createServer((request, response) => {
  arrivals.push([String(request.headers['webhook-id']), request.url ?? '', performance.timeOrigin + performance.now()])
  if (request.url?.startsWith('/hang')) return
  request.resume()
  request.on('end', () => response.writeHead(200, { 'content-length': 0 }).end())
})
// The sender decides how long a connection is kept, as it does with most receivers.
server.keepAliveTimeout = 60_000

const tellMs = 50
setInterval(() => {
  if (arrivals.length > 0) process.send?.({ arrivals })
  arrivals = []
}, tellMs)

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) process.send?.({ port: address.port })
})
