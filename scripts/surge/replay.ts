import { fullBetas, type SurgeRules, surgeRules } from '../../src/logistics/surge/surge-rules.ts'
import { type Day, dayOf, zoneNames } from './day.ts'
import { fixedPrice, instantRatio, type PublishedMultiplier, serviceFormula } from './rules.ts'
import { type Rule, type SimulatedDay, simulateDay } from './simulate-day.ts'

/**
 * `npm run surge-replay -- 30`: simulates thirty dry and thirty rainy days under several pricing rules and prints the
 * results of each. The city is simulated; the formula is that of the service. The results compare the rules under equal
 * conditions. They do not predict how many orders a merchant loses.
 */

const days = Number(process.argv[2] ?? 20)
if (!Number.isSafeInteger(days) || days < 1 || days > 1000)
  throw new Error('The number of days must be an integer from 1 to 1000.')

interface Tally {
  orders: number
  declined: number
  lost: number
  waitSeconds: number
  served: number
  changes: number
  reversals: number
  priceSum: number
  priceMinutes: number
  highest: number
}

const noRiders = { idleRiders: () => 0, waitingShipments: () => 0 }

/** Simulates four earlier dry days at a fixed price, from which the pricing formula computes its baselines. */
const weeksBefore = (seed: number) =>
  [1, 2, 3, 4].map((week) => ({ ...simulateDay(dayOf(seed * 31 + week, false), fixedPrice()), ...noRiders }))

const published: PublishedMultiplier[] = []
const strong: SurgeRules = { ...surgeRules, betas: fullBetas }

for (const kind of ['dry', 'rainy'] as const) {
  const tallies = new Map<string, Tally>()
  for (let seed = 1; seed <= days; seed++) {
    const day = dayOf(seed, kind === 'rainy')
    const weeks = weeksBefore(seed)
    const rules = [
      fixedPrice(),
      instantRatio(),
      serviceFormula('service formula', surgeRules, weeks, published),
      serviceFormula('service formula, beta × 2', strong, weeks, published),
    ]
    for (const rule of rules) count(tallies, rule, day)
  }
  print(`${days} ${kind} days, three zones; mean per day`, tallies)
}

const wrong = published.filter(({ multiplier, product }) => Number(product.toFixed(2)) !== multiplier)
process.stdout.write(
  `${published.length} multipliers were published; ${published.length - wrong.length} equal the product of their factors.\n`,
)
if (wrong.length > 0) process.exitCode = 1

function count(tallies: Map<string, Tally>, rule: Rule, day: Day): void {
  const simulated = simulateDay(day, rule)
  const tally = tallies.get(rule.name) ?? emptyTally()
  tallies.set(rule.name, tally)
  tally.orders += simulated.shipments.length
  tally.declined += simulated.quotes.filter(({ isUsed }) => !isUsed).length
  for (const { assignedMs, lostMs, dispatchedMs } of simulated.shipments) {
    if (lostMs !== undefined) tally.lost += 1
    if (assignedMs === undefined) continue
    tally.served += 1
    tally.waitSeconds += (assignedMs - dispatchedMs) / 1000
  }
  countPrices(tally, simulated)
}

function emptyTally(): Tally {
  return {
    orders: 0,
    declined: 0,
    lost: 0,
    waitSeconds: 0,
    served: 0,
    changes: 0,
    reversals: 0,
    priceSum: 0,
    priceMinutes: 0,
    highest: 1,
  }
}

/** Counts the price changes of a day, and those that reverse the previous change in the same zone. */
function countPrices(tally: Tally, { prices }: SimulatedDay): void {
  for (const zone of zoneNames) {
    let before = 1
    let direction = 0
    for (const price of prices.get(zone) ?? []) {
      tally.priceSum += price
      tally.priceMinutes += 1
      tally.highest = Math.max(tally.highest, price)
      if (price === before) continue
      const sign = Math.sign(price - before)
      tally.changes += 1
      if (direction !== 0 && sign !== direction) tally.reversals += 1
      direction = sign
      before = price
    }
  }
}

function print(title: string, tallies: ReadonlyMap<string, Tally>): void {
  const header = ['rule', 'orders', 'served', 'lost', 'declined', 'wait s', 'changes', 'reversals', 'mean x', 'max x']
  const rows = [...tallies].map(([name, tally]) => [
    name,
    perDay(tally.orders),
    perDay(tally.served),
    perDay(tally.lost),
    perDay(tally.declined),
    (tally.waitSeconds / tally.served).toFixed(0),
    perDay(tally.changes),
    perDay(tally.reversals),
    (tally.priceSum / tally.priceMinutes).toFixed(3),
    tally.highest.toFixed(2),
  ])
  const lines = [header, ...rows].map(([name = '', ...numbers]) =>
    [name.padEnd(27), ...numbers.map((text) => text.padStart(10))].join(''),
  )
  process.stdout.write(`${title}\n${lines.join('\n')}\n\n`)
}

function perDay(sum: number): string {
  return (sum / days).toFixed(1)
}
