import { beforeAll, expect, test } from 'vitest'
import type { ErrorCode } from '../../../registry/errors/index.ts'
import { answers, operationsAnswering } from '../answers.ts'
import { type Reply, useApi } from '../api.ts'
import { mintToken, openShop, type Shop } from '../shop.ts'
import { arrange, arrangeAll, type Operation } from './operation.ts'

/**
 * Number of concurrent requests: fewer than the database connections of one merchant. A request that waits for a
 * connection may get an error other than the tested one.
 */
const connections = 8

/**
 * Starts an API with a shop. Returns functions that register tests of an error code for all operations that declare it.
 * The tests cover a new operation as soon as it declares the error, and coverage.test.ts counts one call for all of
 * these operations.
 */
export function useEveryOperation() {
  const started = useApi()
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop(started().context)
  })
  return {
    started,
    shop: () => shop,

    /**
     * Registers one test for each operation that declares the error code. The function `provoke` returns the response
     * that must contain the code.
     */
    everyOperation: (code: ErrorCode, title: string, provoke: (of: Operation) => Promise<Reply>) => {
      test.for(operationsAnswering(code))(`%s ${title}`, async (id) => {
        const of = await arrange(started(), id, shop)
        answers(id, code, await provoke(of))
      })
    },

    /**
     * Registers one test that calls all operations that declare the error code. It is meant for errors that affect the
     * whole service, and for errors that take long to cause.
     */
    everyOperationAtOnce: (
      code: ErrorCode,
      title: string,
      around: (ask: () => Promise<void>) => Promise<void>,
      {
        atOnce = connections,
        send = (of: Operation, token: string) => of.send({ token }),
        retryAfter = '1' as string | null,
      } = {},
    ) => {
      test(title, async () => {
        const arranged = await arrangeAll(started(), operationsAnswering(code), shop)
        const { token } = await mintToken(started().context, shop.tenant, {})
        const tokenOf = (of: Operation) => (of.shop === shop ? token : of.shop.token)
        await around(async () => {
          for (let start = 0; start < arranged.length; start += atOnce) {
            const some = arranged.slice(start, start + atOnce)
            const replies = await Promise.all(some.map(async (of) => ({ of, reply: await send(of, tokenOf(of)) })))
            for (const { of, reply } of replies) {
              answers(of.id, code, reply)
              expect(reply.headers.get('retry-after')).toBe(retryAfter)
            }
          }
        })
      })
    },
  }
}
