import type { CheckoutStep, RequestStep, TriggerOperation, TriggerStep } from '../../registry/service/triggers/step.ts'
import type { Reply } from './execute/call.ts'
import type { PartnerCall } from './execute/implement.ts'
import { Refusal } from './execute/refusal.ts'
import { filledIn, filledText, isRecord, type Results } from './fill-in.ts'

/** Runs the steps of a trigger one after another, each as a separate request. */

interface CreatedRecord {
  readonly type: string
  readonly id: string
}

export type RanSteps =
  | { readonly is: 'ran'; readonly records: CreatedRecord[] }
  | { readonly is: 'rejected'; readonly operation: TriggerOperation; readonly refusal: Refusal }

type StepCall = Pick<PartnerCall, 'run' | 'checkout'>

/**
 * `run` is a code that identifies one run of the trigger. All references that the run creates contain the code, so that
 * they are unique.
 */
export async function runSteps(call: StepCall, steps: readonly TriggerStep[], run: string): Promise<RanSteps> {
  const records: CreatedRecord[] = []
  let results: Results = { run }
  for (const step of steps) {
    if ('paysOn' in step) {
      await pay(call, step, results)
      continue
    }
    const sent = await send(call, step, results)
    if (sent.is === 'rejected') return { is: 'rejected', operation: step.operation, refusal: sent.refusal }
    if (step.as === undefined) continue
    results = { ...results, [step.as]: sent.result }
    if (typeof sent.result.id === 'string') records.push({ type: step.as, id: sent.result.id })
  }
  return { is: 'ran', records }
}

type Sent =
  | { readonly is: 'answered'; readonly result: Readonly<Record<string, unknown>> }
  | { readonly is: 'rejected'; readonly refusal: Refusal }

async function send(call: StepCall, { operation, params, body, fails }: RequestStep, results: Results): Promise<Sent> {
  const texts = Object.entries(params ?? {}).map(([name, text]) => [name, filledText(text, results)])
  try {
    const reply = await call.run(operation, {
      params: Object.fromEntries(texts),
      body: body && filledIn(body, results),
    })
    return { is: 'answered', result: resultOf(reply) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code !== fails) return { is: 'rejected', refusal: error }
    // If no carrier accepts a dispatch, the error names the shipment that the dispatch created.
    return { is: 'answered', result: { id: Reflect.get(error.details, 'shipmentId') } }
  }
}

function resultOf(reply: Reply): Readonly<Record<string, unknown>> {
  if (reply.is !== 'record' || !isRecord(reply.record)) throw new Error('A step of a trigger must return a record.')
  return reply.record
}

const minuteMs = 60_000

/** Pays on the checkout page of a payment link, as a buyer who submits the form of the page. */
async function pay({ checkout }: StepCall, step: CheckoutStep, results: Results): Promise<void> {
  const { paysOn, amountKobo, payments = 1, callbackDelayMinutes = 0, behaviour = 'success' } = step
  const url = filledText(`{${paysOn}.url}`, results)
  const shown = await checkout?.read(url.slice(url.lastIndexOf('/') + 1))
  if (checkout === undefined || shown === undefined) throw new Error('The payment link has no checkout page.')
  await checkout.pay(shown.page, {
    ...{ amountKobo: amountKobo ?? shown.page.amountKobo, behaviour, isPaidTwice: payments === 2 },
    delayMs: callbackDelayMinutes * minuteMs,
  })
}
