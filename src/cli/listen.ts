import { z } from 'zod'
import { command } from './command.ts'
import { UsageError } from './failure.ts'
import { numberOption, option } from './option.ts'
import { json, write } from './output.ts'
import { type Receipt, startReceiver } from './receiver.ts'

/** Nobody else's by custom, and easy to type. */
const standardPort = 4242

export const listen = command({
  name: 'listen',
  summary: 'Receive webhooks on this machine, verify them and show them, one line each.',
  options: z.strictObject({
    port: numberOption(`Where to listen; ${standardPort} when left out, 0 for a free one.`, {
      min: 0,
      max: 65_535, // the highest port there is
    }).optional(),
    secret: option(z.string().startsWith('whsec_').optional(), {
      value: 'SECRET',
      meaning: 'The endpoint’s signing secret; without it signatures are not judged.',
      must: 'must begin with whsec_',
    }),
    forward: option(z.url({ protocol: /^https?$/ }).optional(), {
      value: 'URL',
      meaning: 'Hand what is verified on to this address, and answer as it answers.',
      must: 'must be an http:// or https:// address',
    }),
  }),
  run: async ({ port, secret, forward }, { wantsJson }) => {
    const receiver = await startReceiver({
      port: port ?? standardPort,
      secret,
      forward,
      onReceipt: (receipt) => write(wantsJson ? json(receipt) : lineOf(receipt)),
    }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') throw new UsageError(`--port ${port ?? standardPort} is taken.`)
      throw error
    })
    // Standard output is kept for the events.
    process.stderr.write(`Listening on ${receiver.url} until Ctrl-C.\n`)
    await untilSignal()
    await receiver.close()
    return undefined
  },
})

function lineOf(receipt: Receipt): string {
  const verdict = receipt.verified ? 'verified' : receipt.reason
  const forwarded = receipt.forwardedStatus === null ? [] : [`forwarded: ${receipt.forwardedStatus}`]
  return [receipt.receivedAt, receipt.kind ?? '-', receipt.id ?? '-', verdict, ...forwarded].join('  ')
}

function untilSignal(): Promise<void> {
  return new Promise((fulfil) => {
    process.once('SIGINT', () => fulfil())
    process.once('SIGTERM', () => fulfil())
  })
}
