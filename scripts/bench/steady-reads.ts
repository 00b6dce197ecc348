import { percentile } from './percentile.ts'

const readsPerSecond = 20
const runSeconds = 10

/**
 * Returns the p99 latency of read requests in milliseconds. They start at a fixed rate, regardless of how long each of
 * them takes.
 */
export async function readSteadily(url: string, token: string): Promise<number> {
  const reads: Promise<number>[] = []
  const startMs = performance.now()
  for (let count = 0; count < readsPerSecond * runSeconds; count++) {
    const dueMs = startMs + (count * 1000) / readsPerSecond
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())))
    reads.push(read(url, token))
  }
  const sorted = (await Promise.all(reads)).toSorted((a, b) => a - b)
  return percentile(sorted, 0.99)
}

async function read(url: string, token: string): Promise<number> {
  const startMs = performance.now()
  const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } })
  await response.text()
  if (response.status !== 200) throw new Error(`GET /orders returned ${response.status}, expected 200.`)
  return performance.now() - startMs
}
