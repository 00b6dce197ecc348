// DO NOT EDIT. Written by `npm run generate`.
export type * from '../../generated/api.d.ts';
export { type Commerce, type CommerceOptions, createCommerce } from './commerce.ts';
export { CommerceError, type ErrorBody, type ErrorCode } from './error.ts';
export type { ListedItem, ListPath } from './list.ts';
export { NoResponseError } from './no-response.ts';
export type { NotModified } from './not-modified.ts';
export type { CallOptions, ListOptions, Resources } from './resources.ts';
export { UnexpectedResponseError } from './unexpected-response.ts';
export { unwrap } from './unwrap.ts';
