import type { ServerResponse } from 'node:http'
import { until } from '../until.ts'
import { type Cell, cell, durationOf, type Fault } from './cell.ts'
import type { World } from './world.ts'

const chunk = Buffer.alloc(65_536)

/**
 * The responses of a broken webhook receiver. A redirect, an error status or an interrupted response is a failed
 * delivery attempt.
 */
const faults: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'status 500': (response) => void response.writeHead(500).end(),
  'status 404': (response) => void response.writeHead(404).end(),
  redirect: (response) => void response.writeHead(302, { Location: '/' }).end(),
  'no response': () => undefined,
  'endless body': endless,
  'breaks off after the headers': (response) => {
    response.writeHead(200, { 'Content-Length': '10' })
    response.flushHeaders()
    response.socket?.end()
  },
}

export const receiverCells: readonly Cell[] = Object.entries(faults).map(([name, respond]) =>
  cell(`receiver: ${name}`, async ({ receivers }: World, fault: Fault) => {
    const path = `/${fault.shop.tenant.merchantId}`
    let responses = 0
    receivers.answers.set(path, (response) => {
      responses += 1
      respond(response)
    })
    try {
      await fault.last(durationOf(fault))
      await until(async () => responses > 0, 'No delivery reached the broken receiver.')
    } finally {
      receivers.answers.delete(path)
    }
  }),
)

/** Writes a response that never ends, for as long as the client reads it. */
function endless(response: ServerResponse): void {
  const write = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.writeHead(200)
  response.on('drain', write)
  write()
}
