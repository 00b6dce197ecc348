/** Reads the memory usage of the service from the metrics on its management port. */
export interface MemorySamples {
  readonly samples: () => readonly number[]
  stop(): void
}

/** Interval of the memory samples. A fuzz run takes minutes, and a sample takes milliseconds. */
const sampleEveryMs = 2_000

/** Samples the service's resident memory in bytes until the sampling is stopped. */
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
 * Minimum number of samples in each quarter after the warm-up, so that a single garbage collection does not determine
 * the result.
 */
const quarterMin = 10

/**
 * Returns the ratio of the service's memory in the last quarter of the run to that in the first quarter after the
 * warm-up. Undefined with too few samples.
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
