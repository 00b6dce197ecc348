export const text = { type: 'string' } as const
export const nullableText = { type: ['string', 'null'] } as const
export const integer = { type: 'integer' } as const
export const number = { type: 'number' } as const
