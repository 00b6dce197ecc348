import type { z } from 'zod'
import type { PlaceholderOf } from '../../../registry/kit/endpoint.ts'
import type { Permission } from '../../../registry/values/roles.ts'
import type { Granted } from '../../access/members/start-session.ts'
import type { Content } from './content.ts'
import { checkFields, type Draft, type FieldProblem, type FormValues } from './draft.ts'
import type { Visit } from './visit.ts'

/**
 * A route of the dashboard is a page or a download (GET), or an action or a query of the script (POST). A declaration
 * is plain data, so that the router and the tests derive everything from it: permissions, forms and the list of all
 * routes.
 */

export type ParamsOf<Path extends string> = { readonly [Name in PlaceholderOf<Path>]: string }

interface PageDeclaration<Path extends string> {
  /** The path of the page after the prefix /dashboard, such as `/orders/{id}`. */
  readonly path: Path
  readonly permission: Permission
  show(visit: Visit, params: ParamsOf<Path>): Promise<Content>
}

export type Acted =
  /**
   * The action redirects to a page below /dashboard, which shows the `done` message of the action. `granted` contains
   * the new tokens of a session if the action changed the sign-in; the browser stores them.
   */
  | { readonly is: 'done'; readonly to: string; readonly granted?: Granted }
  /**
   * The browser is redirected to a page below /dashboard that shows the outcome of each record and has no `done`
   * message. If `hasChanged` is true, the action changed a record, and the same form cannot be submitted again.
   */
  | { readonly is: 'shown'; readonly to: string; readonly hasChanged: boolean }
  /** The action is done and its response shows a secret that no other page can show, such as a new token. */
  | { readonly is: 'revealed'; readonly content: Content }
  /** The action is done and its response shows a result that no other page can show, such as a report. */
  | { readonly is: 'reported'; readonly content: Content }
  /**
   * Nothing was changed, and the form is shown again with a result, such as a preview. If the content has problems, the
   * status of the response is 422.
   */
  | { readonly is: 'previewed'; readonly content: Content }
  /**
   * Nothing was changed. The form is shown again with the message, next to the field `field` if it is set. If `isStale`
   * is set, the record was changed after the form was opened, and the form has a link to the current state of the
   * record.
   */
  | { readonly is: 'refused'; readonly message: string; readonly field?: string; readonly isStale?: true }
  /**
   * Nothing was changed. The form is shown again with the problems. A problem that names a field is shown at this
   * field.
   */
  | { readonly is: 'invalid'; readonly problems: readonly FieldProblem[] }

/** The confirmation question before an action that cannot be undone. */
export interface Question {
  /** Describes the effect of the action. */
  readonly text: string
  readonly submit: string
}

/**
 * The result of the check whether an action needs a confirmation: the confirmation question, or the reason why the
 * action would be refused. Undefined if the action needs no confirmation.
 */
export type Asked = Question | Extract<Acted, { is: 'refused' | 'invalid' }> | undefined

interface ActionDeclaration<Path extends string, Fields extends z.ZodObject> {
  readonly path: Path
  readonly permission: Permission
  /** The fields of the form. Empty fields are absent. A field with several values must use `choices`. */
  readonly fields: Fields
  /** The message that the next page shows, such as `The token is revoked.` */
  readonly done: string
  /**
   * Returns the confirmation question before an action that cannot be undone. May read records, but changes none.
   * Returns undefined if, with the submitted values, the action can be undone or loses no data. `question` is null if
   * the action never needs a confirmation.
   */
  readonly question: ((fields: z.output<Fields>, visit: Visit, params: ParamsOf<Path>) => Asked | Promise<Asked>) | null
  /** Whether the member must have entered a password, a code or a passkey within the last ten minutes. */
  readonly needsRecentSignIn?: true
  /**
   * Whether the action changes only the sign-in of the member. Such an action is allowed even if the merchant is
   * suspended, or if the member has selected another merchant or mode since the form was opened.
   */
  readonly isOfUser?: true
  /** Maximum size in bytes of the file that the form contains. Left out if the form contains no file. */
  readonly fileMaxBytes?: number
  /**
   * Maximum size in bytes of this form, if it contains longer texts than other forms. If left out, the default maximum
   * applies.
   */
  readonly formMaxBytes?: number
  form(visit: Visit, params: ParamsOf<Path>, draft: Draft): Promise<Content>
  run(visit: Visit, params: ParamsOf<Path>, fields: z.output<Fields>): Promise<Acted>
}

export interface Page {
  readonly kind: 'page'
  readonly path: string
  readonly permission: Permission
  show(visit: Visit, params: Readonly<Record<string, string>>): Promise<Content>
}

export interface Action {
  readonly kind: 'action'
  readonly path: string
  readonly permission: Permission
  readonly done: string
  readonly needsRecentSignIn: boolean
  readonly isOfUser: boolean
  readonly fileMaxBytes: number | undefined
  readonly formMaxBytes: number | undefined
  /** Whether the action asks for a confirmation, at least for some values of its form. */
  readonly isFinal: boolean
  /**
   * Returns the question that the member must confirm, or why the action would be refused. Undefined if no confirmation
   * is needed or if the values are invalid.
   */
  ask(visit: Visit, params: Readonly<Record<string, string>>, values: FormValues): Promise<Asked>
  form(visit: Visit, params: Readonly<Record<string, string>>, draft: Draft): Promise<Content>
  /** Validates the values of the form and runs the action. */
  submit(visit: Visit, params: Readonly<Record<string, string>>, values: FormValues): Promise<Acted>
}

/** A file to download. Its parts are generated while it is sent, so a large file needs little memory. */
export interface File {
  readonly name: string
  readonly type: string
  readonly parts: AsyncIterableIterator<string>
}

export interface Download {
  readonly kind: 'download'
  readonly path: string
  readonly permission: Permission
  open(visit: Visit): Promise<File>
}

/** The response to a request from the script of a page: data, or a problem that the script shows to the member. */
export type Answered =
  | { readonly is: 'data'; readonly data: object }
  | { readonly is: 'problem'; readonly message: string }

/** A route that responds to requests from the script of a page. Such a request changes no record. */
export interface ScriptQuery {
  readonly kind: 'query'
  readonly path: string
  readonly permission: Permission
  answer(visit: Visit): Promise<Answered>
}

export type Route = Page | Action | Download | ScriptQuery

export function download(declaration: Omit<Download, 'kind'>): Download {
  return { kind: 'download', ...declaration }
}

export function scriptQuery(declaration: Omit<ScriptQuery, 'kind'>): ScriptQuery {
  return { kind: 'query', ...declaration }
}

export function page<const Path extends string>(declaration: PageDeclaration<Path>): Page {
  return { kind: 'page', ...declaration, show: (visit, params) => declaration.show(visit, paramsOf<Path>(params)) }
}

export function action<const Path extends string, Fields extends z.ZodObject>(
  declaration: ActionDeclaration<Path, Fields>,
): Action {
  const { path, permission, done, needsRecentSignIn = false, isOfUser = false } = declaration
  const { fileMaxBytes, formMaxBytes } = declaration
  return {
    ...{ kind: 'action', path, permission, done, needsRecentSignIn, isOfUser, fileMaxBytes, formMaxBytes },
    isFinal: declaration.question !== null,
    ask: async (visit, params, values) => {
      const checked = checkFields(declaration.fields, values)
      return checked.is === 'valid' ? declaration.question?.(checked.fields, visit, paramsOf<Path>(params)) : undefined
    },
    form: (visit, params, draft) => declaration.form(visit, paramsOf<Path>(params), draft),
    submit: async (visit, params, values) => {
      const checked = checkFields(declaration.fields, values)
      return checked.is === 'valid' ? declaration.run(visit, paramsOf<Path>(params), checked.fields) : checked
    },
  }
}

/**
 * Gives the path parameters of a route the type that the page expects. The cast is safe: the router has matched the
 * path, so each placeholder has a value.
 */
function paramsOf<Path extends string>(params: Readonly<Record<string, string>>): ParamsOf<Path> {
  return params as ParamsOf<Path>
}
