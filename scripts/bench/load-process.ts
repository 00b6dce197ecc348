import { createServer, type IncomingMessage } from 'node:http'
import { runLoad } from './run-load.ts'

/**
 * A process that sends load to a server. `POST /run` takes a LoadRun and responds with its LoadResult when the load has
 * ended.
 */
const server = createServer(async (incoming, response) => {
  const result = await runLoad(JSON.parse(await textOf(incoming)))
  response.end(JSON.stringify(result))
})
// Ends this process when its parent process ends, even if a signal ends the parent.
process.on('disconnect', () => process.exit())
// A load takes minutes, so the request that starts it must not time out.
server.requestTimeout = 0
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) process.send?.({ port: address.port })
})

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
