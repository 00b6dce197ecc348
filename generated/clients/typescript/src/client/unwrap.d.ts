// DO NOT EDIT. Written by `npm run generate`.
import { type ErrorBody } from './error.ts';
import type { NotModified } from './not-modified.ts';
export type Result<Data> = {
    readonly data: Data;
    readonly error?: never;
    readonly response?: Response;
} | {
    readonly data?: never;
    readonly error: ErrorBody;
    readonly response?: Response;
};
/**
 * The conditional type distributes over the union of outcomes, so that the resulting type is the same with and without
 * `exactOptionalPropertyTypes`.
 */
type RecordOf<Outcome> = Outcome extends {
    readonly data?: never;
    readonly error?: never;
} ? undefined : Outcome extends {
    readonly data: infer Data;
} ? NonNullable<Data> : never;
/**
 * Returns the record of a response, or throws a CommerceError: `unwrap(await commerce.GET('/orders/{id}', …))`. Returns
 * undefined for a 304 response to `If-None-Match`.
 */
export declare function unwrap<Outcome extends Result<unknown> | NotModified>(result: Outcome): RecordOf<Outcome>;
export {};
