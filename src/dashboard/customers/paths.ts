export const customerPaths = { list: '/customers', create: '/customers/new' } as const
