import { inBackground } from '../../base/trace.ts'
import type { OnDisconnect } from '../../logistics/tracking/shipment-subscriptions.ts'

/**
 * Runs a database read once for all requests with the same key that arrive in the same turn of the event loop, and
 * returns its result to each of them. The read starts after the last of these requests has arrived, so each response
 * contains every change that was committed before its request. `run` gets a listener that is called when all their
 * clients have disconnected.
 */
export type ShareRead<Result> = (
  key: string,
  onDisconnect: OnDisconnect,
  run: (onDisconnect: OnDisconnect) => Promise<Result>,
) => Promise<Result>

interface Group<Result> {
  readonly members: OnDisconnect[]
  readonly result: Promise<Result>
}

export function openSharedReads<Result>(): ShareRead<Result> {
  const gathering = new Map<string, Group<Result>>()
  return (key, onDisconnect, run) => {
    const group = gathering.get(key)
    if (group !== undefined) {
      group.members.push(onDisconnect)
      return group.result
    }
    const { promise: result, resolve, reject } = Promise.withResolvers<Result>()
    const members = [onDisconnect]
    gathering.set(key, { members, result })
    // The shared read starts after all input of this turn of the event loop has been processed.
    setImmediate(() => {
      gathering.delete(key)
      // A read that several requests share is not part of the trace of the first request.
      const read = () => run(onLastDisconnect(members))
      const reading = members.length === 1 ? read() : inBackground(read)
      reading.then(resolve, reject)
    })
    return result
  }
}

/** A disconnected client must not end the read for the other clients. */
function onLastDisconnect(members: readonly OnDisconnect[]): OnDisconnect {
  return (listener) => {
    let connected = members.length
    const removals = members.map((onDisconnect) =>
      onDisconnect(() => {
        connected -= 1
        if (connected === 0) listener()
      }),
    )
    return () => {
      for (const remove of removals) remove()
    }
  }
}
