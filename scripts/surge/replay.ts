import { fullBetas, type SurgeRules, surgeRules } from '../../src/logistics/surge/surge-rules.ts'
import { type Day, dayOf, zoneNames } from './day.ts'
import { type Lived, live, type Rule } from './live.ts'
import { fixedPrice, instantRatio, type PublishedNumber, theFormula } from './rules.ts'

/**
 * Plays the same days under several rules and prints what became of the orders: `npm run surge-replay -- 30` plays thirty
 * days of each kind. The streets are invented; the formula is the one the service publishes by. It shows how the rules
 * compare where all else is the same, and not how many orders anybody will lose.
 */

const days = Number(process.argv[2] ?? 20)
if (!Number.isSafeInteger(days) || days < 1 || days > 1000)
  throw new Error('Say how many days to play, from 1 to 1000.')

interface Tally {
  orders: number
  walked: number
  lost: number
  waitSeconds: number
  served: number
  changes: number
  reversals: number
  priceSum: number
  priceMinutes: number
  highest: number
}

const idle = { idleRiders: () => 0, waiting: () => 0 }

/** The same day of the last four weeks, dry and at plain prices: what the formula knows as usual. */
const weeksBefore = (seed: number) =>
  [1, 2, 3, 4].map((week) => ({ ...live(dayOf(seed * 31 + week, false), fixedPrice()), ...idle }))

const published: PublishedNumber[] = []
const strong: SurgeRules = { ...surgeRules, betas: fullBetas }

for (const kind of ['dry', 'rainy'] as const) {
  const tallies = new Map<string, Tally>()
  for (let seed = 1; seed <= days; seed++) {
    const day = dayOf(seed, kind === 'rainy')
    const weeks = weeksBefore(seed)
    const rules = [
      fixedPrice(),
      instantRatio(),
      theFormula('this formula', surgeRules, weeks, published),
      theFormula('the same, twice as strong', strong, weeks, published),
    ]
    for (const rule of rules) count(tallies, rule, day)
  }
  print(`${days} ${kind} days, three zones; each number is the mean of a day`, tallies)
}

const wrong = published.filter(({ multiplier, product }) => Number(product.toFixed(2)) !== multiplier)
process.stdout.write(
  `${published.length} numbers were published; the factors of ${published.length - wrong.length} multiply to theirs.\n`,
)
if (wrong.length > 0) process.exitCode = 1

function count(tallies: Map<string, Tally>, rule: Rule, day: Day): void {
  const lived = live(day, rule)
  const tally = tallies.get(rule.name) ?? emptyTally()
  tallies.set(rule.name, tally)
  tally.orders += lived.sendings.length
  tally.walked += lived.quotes.filter(({ isUsed }) => !isUsed).length
  for (const { assignedMs, lostMs, dispatchedMs } of lived.sendings) {
    if (lostMs !== undefined) tally.lost += 1
    if (assignedMs === undefined) continue
    tally.served += 1
    tally.waitSeconds += (assignedMs - dispatchedMs) / 1000
  }
  countPrices(tally, lived)
}

function emptyTally(): Tally {
  return {
    orders: 0,
    walked: 0,
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

/** A reversal is a change the other way than the one before it in that zone. */
function countPrices(tally: Tally, { prices }: Lived): void {
  for (const zone of zoneNames) {
    let before = 1
    let direction = 0
    for (const price of prices.get(zone) ?? []) {
      tally.priceSum += price
      tally.priceMinutes += 1
      tally.highest = Math.max(tally.highest, price)
      if (price === before) continue
      const turned = Math.sign(price - before)
      tally.changes += 1
      if (direction !== 0 && turned !== direction) tally.reversals += 1
      direction = turned
      before = price
    }
  }
}

function print(title: string, tallies: ReadonlyMap<string, Tally>): void {
  const header = ['rule', 'orders', 'served', 'lost', 'walked', 'wait s', 'changes', 'reversals', 'mean x', 'max x']
  const rows = [...tallies].map(([name, tally]) => [
    name,
    perDay(tally.orders),
    perDay(tally.served),
    perDay(tally.lost),
    perDay(tally.walked),
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
