import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { bodyOffset, type Message, openMessageReader, textAt } from './message-reader.ts'

/** A proxy between the service and PostgreSQL that records the messages of the service. */
export interface Recorder {
  readonly port: number
  /**
   * Runs the function `run` and records the pipelines of messages that the service sends to PostgreSQL while it runs.
   */
  record(run: () => Promise<void>): Promise<readonly Pipeline[]>
  /** The Parse message that prepared each SQL statement, by the statement's name. */
  readonly statements: ReadonlyMap<string, Buffer>
  close(): void
}

/**
 * A pipeline: the messages that a database connection sends before it waits for a response, which are several
 * statements and then a Sync.
 */
export interface Pipeline {
  /** The number of the database connection that sent the messages. */
  readonly connection: number
  /** The names of the prepared statements that the pipeline executes. */
  readonly names: readonly string[]
  readonly bytes: Buffer
  /** Whether the statements of the pipeline were already prepared, so that it contains only their parameter values. */
  readonly isPrepared: boolean
}

interface State {
  readonly targetPort: number
  readonly statements: Map<string, Buffer>
  pipelines: Pipeline[]
  connections: number
}

export async function openRecorder(targetPort: number): Promise<Recorder> {
  const state: State = { targetPort, statements: new Map(), pipelines: [], connections: 0 }
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    for (const socket of [near, pass(near, state)]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The recorder has no port.')
  return {
    port: address.port,
    statements: state.statements,
    record: async (run) => {
      state.pipelines = []
      await run()
      return state.pipelines
    },
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Forwards a database connection of the service to PostgreSQL. Returns the socket to PostgreSQL. */
function pass(near: Socket, state: State): Socket {
  const far = connect(state.targetPort, '127.0.0.1').setNoDelay()
  near.setNoDelay().pipe(far).pipe(near)
  const connection = state.connections++
  const read = openMessageReader()
  let sent: Message[] = []
  let hasStarted = false
  near.on('data', (chunk) => {
    // The first message of a connection to PostgreSQL has no type byte. node-postgres waits for the response to it.
    const messages = hasStarted ? read(Buffer.from(chunk)) : []
    hasStarted = true
    for (const message of messages) {
      sent.push(message)
      if (message.type === 'P') state.statements.set(textAt(message, bodyOffset), message.bytes)
      if (message.type !== 'S') continue
      state.pipelines.push({ connection, ...pipelineOf(sent) })
      sent = []
    }
  })
  return far
}

function pipelineOf(messages: readonly Message[]): Omit<Pipeline, 'connection'> {
  const binds = messages.filter(({ type }) => type === 'B')
  return {
    // A Bind message starts with the name of the portal, which is empty, and the name of the statement.
    names: binds.map((bind) => textAt(bind, bodyOffset + 1)),
    bytes: Buffer.concat(messages.map(({ bytes }) => bytes)),
    isPrepared: messages.every(({ type }) => type === 'B' || type === 'E' || type === 'S'),
  }
}
