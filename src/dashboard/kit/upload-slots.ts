import { openConcurrency } from '../../access/limits/concurrency.ts'

/** Limits how many submitted forms with a file the process handles at the same time. */
export interface UploadSlots {
  /**
   * Runs the handler of a submitted form with a file. `merchantId` is the id of the merchant whose member submitted the
   * form. Returns undefined, without running the handler, if too many forms with a file are in progress.
   */
  run<Result>(merchantId: string, handle: () => Promise<Result>): Promise<Result | undefined>
}

/**
 * Maximum number of forms with a file in progress. A file of 32 MiB exists up to three times until it is stored, so the
 * forms take at most about 300 MiB of memory.
 */
const slotsMax = 3

/**
 * Each merchant can run one upload at a time, so that one merchant's slow uploads do not occupy the slots that other
 * merchants need.
 */
const slotsOfMerchantMax = 1

export function openUploadSlots(): UploadSlots {
  const concurrency = openConcurrency()
  return {
    run: async (merchantId, handle) => {
      const keys = [{ key: merchantId, max: slotsOfMerchantMax }]
      if (concurrency.total() >= slotsMax || concurrency.fullOf(keys) !== undefined) return undefined
      concurrency.enter(keys)
      try {
        return await handle()
      } finally {
        concurrency.leave(keys)
      }
    },
  }
}
