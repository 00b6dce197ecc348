import { z } from 'zod'
import { read } from '../kit/endpoint.ts'
import { queryInteger } from '../kit/query.ts'
import { sampleIds } from '../kit/sample-ids.ts'
import { pageSize, reportDaysDefault, reportDaysMax } from '../values/limits.ts'
import { impersonalText } from '../values/privacy.ts'
import { calendarDay, named, nullable, text } from '../values/vocabulary.ts'

export const salesGroupings = ['day', 'product', 'source', 'state'] as const

export type SalesGrouping = (typeof salesGroupings)[number]

const groupBy = z.enum(salesGroupings).meta({
  description:
    'How the sales are grouped. `day`: one row for each day of the range, also without sales. `product`: the products with the ' +
    'highest `grossKobo`, at most `limit`. `source`: by the `source` of the order. `state`: by the Nigerian state in the delivery address of the order.',
  examples: ['day'],
})

const sum = (description: string, example: number) => z.int().meta({ description, examples: [example] })

const count = (description: string, example: number) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [example] })

/** Sums over many orders may exceed the maximum of a single amount. */
const figures = {
  orderCount: count('Number of orders. An order with several products counts in the row of each product.', 3),
  unitCount: count('Ordered units, without units that were cancelled before they were handed over.', 4),
  grossKobo: sum('Sum of `subtotalKobo`: item prices before discounts. In kobo.', 6_000_000),
  discountsKobo: sum(
    'Sum of `discountKobo`, in kobo. In the row of a product, without discounts on shipping.',
    600_000,
  ),
  shippingKobo: sum(
    'Sum of `shippingKobo`: shipping prices before discounts. In kobo. 0 in the row of a product.',
    500_000,
  ),
  taxKobo: sum(
    'Sum of `taxKobo`: VAT on the orders, whether prices include it or not. Refunds do not reduce it. In kobo. In the row of a ' +
      'product, without VAT on shipping.',
    0,
  ),
  refundsKobo: sum(
    'Sum of the refunds that were created on the days of the range and have not failed or been cancelled, with VAT and without ' +
      'returned overpayments. In kobo. In the row of a product, the amounts of the refunded items.',
    1_500_000,
  ),
  netKobo: sum(
    'Sum of `totalKobo` minus `refundsKobo`, in kobo. Includes VAT. Negative when refunds of earlier orders exceed the sales.',
    4_400_000,
  ),
}

const SalesTotals = named(
  'SalesTotals',
  z.object(figures).meta({ description: 'Figures of all sales in the days of the report.' }),
)

export const SalesRow = named(
  'SalesRow',
  z
    .object({
      group: nullable(impersonalText()).meta({
        description:
          'Value by which the row is grouped, as requested by `groupBy`: the day, the product id, the source or the state. Null for orders without a delivery address, and for ' +
          'items of deleted products.',
        examples: ['2026-11-21'],
      }),
      title: nullable(
        text('Title of the product.', { isPersonal: false, max: 200, example: 'Ankara maxi dress' }),
      ).meta({
        description:
          'Current title of the product. Null if the report is not grouped by product, and for deleted products.',
      }),
      ...figures,
    })
    .meta({ description: 'Figures of one group of sales.' }),
)

export type SalesRow = z.output<typeof SalesRow>
export type SalesTotals = z.output<typeof SalesTotals>

const SalesReport = named(
  'SalesReport',
  z
    .object({
      groupBy,
      from: calendarDay('First day of the report, in Lagos time.'),
      to: calendarDay('Last day of the report, in Lagos time.'),
      data: z.array(SalesRow).meta({
        description:
          'Rows of the report: days in ascending order, other groups in descending order of `grossKobo`. Groups without sales ' +
          'and refunds are left out, except days.',
      }),
      totals: SalesTotals,
    })
    .meta({ description: 'Sales of a range of days.' }),
)

export type SalesReport = z.output<typeof SalesReport>

const exampleFigures = {
  orderCount: 3,
  unitCount: 4,
  grossKobo: 6_000_000,
  discountsKobo: 600_000,
  shippingKobo: 500_000,
  taxKobo: 0,
  refundsKobo: 1_500_000,
  netKobo: 4_400_000,
}

export const getSalesReport = read({
  id: 'getSalesReport',
  path: '/reports/sales',
  tag: 'Reports',
  summary: 'Get the sales report',
  description:
    'Returns the sales of a range of days, grouped by day, product, source or state. An order counts on the day of its creation, and a refund on the day of the refund, both in Lagos ' +
    'time. Cancelled orders are not counted. The figures are exact at the time of the ' +
    'request, and equal to sums of the exports.',
  access: 'orders:read',
  query: z.strictObject({
    from: calendarDay(
      `First day of the report, in Lagos time. When left out, the report covers ${reportDaysDefault} days and ends at \`to\`.`,
    ).optional(),
    to: calendarDay(
      `Last day of the report, in Lagos time. When left out, today. A report has at most ${reportDaysMax} days, the length of a leap year, so that ` +
        'each one is fast.',
    ).optional(),
    groupBy: groupBy.default('day').meta({ default: 'day' }),
    limit: queryInteger({
      min: 1,
      max: pageSize.max,
      description: 'Maximum number of products if the sales are grouped by product. Other groupings have no limit.',
      example: pageSize.default,
    })
      .default(pageSize.default)
      .meta({ default: pageSize.default }),
  }),
  refusals: ['invalid_time_range'],
  reply: {
    body: SalesReport,
    meaning: 'The sales in the requested range of days.',
    example: {
      groupBy: 'product',
      from: '2026-11-01',
      to: '2026-11-30',
      data: [{ group: sampleIds.product, title: 'Ankara maxi dress', ...exampleFigures }],
      totals: exampleFigures,
    },
  },
})
