/**
 * The routes of the API reference. Its pages are built from the registry and the OpenAPI document at the first
 * request.
 */
import type { AnyOperation } from '../../core/operation.ts'
import { commonHeaders } from '../../gateway/gateway.ts'
import type { Route, RouteDeps } from '../route.ts'
import { CONTROLS_PATH, pathOf } from './page-of.ts'
import type { ReferenceFiles } from './pages.ts'

export type DocsDeps = Pick<RouteDeps, 'serviceTime' | 'version' | 'control'>

/** Allows only its own style and pictures, and no frame around it. */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"

/** Returns the routes of the reference, its files and its redirects. */
export function docsRoutes(
  operations: readonly AnyOperation[],
  { serviceTime, version, control }: DocsDeps,
): Route[] {
  const controls = control?.calls ?? []
  let files: Promise<ReferenceFiles> | undefined
  const paths = ['/docs', '/docs/style.css', '/docs/icon.svg', '/docs/errors', '/docs/shapes']
  const own = [...new Set(operations.map(pathOf)), ...(controls.length === 0 ? [] : [CONTROLS_PATH])]
  const pages = [...paths, ...own].map((path): Route => ({
    name: 'docs',
    method: 'GET',
    path,
    async answer({ requestId }) {
      files ??= import('./pages.ts').then(({ makeFiles }) => makeFiles(operations, controls, version))
      const file = (await files)[path]
      if (file === undefined) throw new Error(`${path} was not made`)
      return {
        status: 200,
        headers: {
          ...commonHeaders(requestId, await serviceTime()),
          'Content-Type': file.type,
          'Content-Security-Policy': POLICY,
        },
        body: file.bytes,
      }
    },
  }))
  // People open the address that the service prints at its start in a browser.
  return [...pages, ...['/', '/docs/'].map(redirect)]
}

function redirect(path: string): Route {
  return {
    name: 'docs',
    method: 'GET',
    path,
    answer: async ({ requestId }) => ({
      status: 308,
      headers: { ...commonHeaders(requestId, undefined), Location: '/docs' },
      body: '',
    }),
  }
}
