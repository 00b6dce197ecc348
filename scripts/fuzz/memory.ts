/** The memory of the service, from the metrics of its management port. */
export interface MemorySamples {
  readonly samples: () => readonly number[]
  stop(): void
}

/** Interval of the memory samples. A run takes minutes, and a sample takes milliseconds. */
const sampleEveryMs = 2_000

/** Samples the resident memory in bytes until it is stopped. */
export function sampleMemory(managementUrl: string): MemorySamples {
  const samples: number[] = []
  const sample = async () => {
    const response = await fetch(`${managementUrl}/metrics`)
    const [, bytes] = /^process_resident_memory_bytes(?:\{[^}]*\})? (\S+)$/m.exec(await response.text()) ?? []
    if (bytes === undefined) throw new Error('The metrics do not contain the resident memory.')
    samples.push(Number(bytes))
  }
  const timer = setInterval(() => void sample(), sampleEveryMs)
  return { samples: () => samples, stop: () => clearInterval(timer) }
}

/** Share of the memory samples that belongs to the warm-up, in which caches and the heap reach their size. */
const warmUp = 0.2

/**
 * Minimum number of samples in each quarter after the warm-up, so that a garbage collection does not decide the result.
 */
const quarterMin = 10

/**
 * Returns the ratio of the memory in the last quarter to the memory in the first quarter after the warm-up. Undefined
 * with too few samples.
 */
export function growthOf(samples: readonly number[]): number | undefined {
  const warm = samples.slice(Math.floor(samples.length * warmUp))
  const quarter = Math.floor(warm.length / 4)
  if (quarter < quarterMin) return undefined
  return mean(warm.slice(-quarter)) / mean(warm.slice(0, quarter))
}

function mean(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0) / values.length
}
