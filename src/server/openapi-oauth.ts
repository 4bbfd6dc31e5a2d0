/**
 * The OpenAPI parts for tokens: the security schemes of the document, and the endpoints of RFC 8628, 7009, 7662,
 * 8414, 9728.
 */
import { SCOPES } from '../core/account.ts'
import { PERMISSIONS } from './device-page/words.ts'
import { describeErrorResponse, COMMON_RESPONSE_HEADERS } from './openapi-parts.ts'
import type { JsonNode } from './openapi-schemas.ts'

const DEVICE = '/oauth/device_authorization'
const TOKEN = '/oauth/token'

/** Returns the two security schemes: a bearer token, and the OAuth flow that issues one. */
export function securitySchemes(): JsonNode {
  const scopes = Object.fromEntries(SCOPES.map((scope) => [scope, PERMISSIONS[scope].words]))
  return {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'Opaque access token. Each operation names the scope it needs.',
    },
    oauth2: {
      type: 'oauth2',
      description:
        'Users log in with the device flow (RFC 8628), described in `x-device-authorization` because OpenAPI 3.1 cannot describe it. Business and carrier accounts use their client ID and secret.',
      flows: { clientCredentials: { tokenUrl: TOKEN, refreshUrl: TOKEN, scopes } },
      'x-device-authorization': {
        deviceAuthorizationUrl: DEVICE,
        tokenUrl: TOKEN,
        refreshUrl: TOKEN,
        scopes,
      },
    },
  }
}

const string = (description: string, more: JsonNode = {}): JsonNode => ({
  type: 'string',
  description,
  ...more,
})

function form(required: string[], properties: JsonNode, example: JsonNode): JsonNode {
  return {
    required: true,
    content: {
      'application/x-www-form-urlencoded': { schema: { type: 'object', required, properties }, example },
    },
  }
}

/** Returns the responses of an endpoint that reads a form. Its errors are in OAuth's own form. */
function answers(description: string, schema: JsonNode): JsonNode {
  const failed = (text: string): JsonNode => ({
    description: text,
    headers: COMMON_RESPONSE_HEADERS,
    content: {
      'application/json': {
        schema: {
          named: 'OauthError',
          type: 'object',
          required: ['error'],
          properties: {
            error: string('Error code.'),
            error_description: string('Description of the error.'),
          },
        },
      },
    },
  })
  return {
    ...answer(description, schema),
    400: failed('Error; `error` has the reason (RFC 6749, RFC 8628).'),
    401: failed('`invalid_client`: the client is unknown.'),
    429: failed('Too many requests from this address; wait for Retry-After.'),
  }
}

function answer(description: string, schema: JsonNode): JsonNode {
  return {
    200: { description, headers: COMMON_RESPONSE_HEADERS, content: { 'application/json': { schema } } },
    403: describeErrorResponse(403, ['origin_not_allowed']),
  }
}

const list = (description: string): JsonNode => ({ type: 'array', items: { type: 'string' }, description })

const LIFETIME: JsonNode = { type: 'integer', minimum: 0, description: 'Seconds until the codes expire.' }

const CLIENT: JsonNode = {
  client_id: string('Client ID; `dray-cli` for the command line.'),
  client_secret: string('Secret of a business or carrier account.'),
}

/** The paths of the login. */
export const OAUTH_PATHS: Record<string, JsonNode> = {
  [DEVICE]: {
    post: {
      operationId: 'authorize_device',
      summary: 'Start a device login',
      description:
        'Returns a code that the user enters at `verification_uri` while the device polls /oauth/token every `interval` seconds (RFC 8628).',
      tags: ['login'],
      security: [],
      requestBody: form(
        ['client_id'],
        {
          client_id: string('Client ID; `dray-cli` for the command line.'),
          scope: string('Scopes, separated by spaces. Default: all scopes.'),
          device_name: string('Device name shown on the page.'),
        },
        { client_id: 'dray-cli', scope: 'food.read food.order' },
      ),
      responses: answers('User code and device code.', {
        type: 'object',
        required: ['device_code', 'user_code', 'verification_uri', 'expires_in', 'interval'],
        properties: {
          device_code: string('Code for polling; never shown to anyone.'),
          user_code: string('Code that the user enters.'),
          verification_uri: string('URL of the page for the user.'),
          verification_uri_complete: string('Address of the page, with the code filled in.'),
          expires_in: LIFETIME,
          interval: { type: 'integer', minimum: 1, description: 'Seconds between two polls.' },
        },
      }),
    },
  },
  [TOKEN]: {
    post: {
      operationId: 'issue_token',
      summary: 'Get an access token',
      description:
        'Accepts an approved device code, a refresh token, or a client ID and secret. A refresh token is replaced at each use. After a lost response, the old one returns the same pair for a minute while that pair is unused; later it ends the login.',
      tags: ['login'],
      security: [],
      requestBody: form(
        ['grant_type'],
        {
          grant_type: string('Grant type.', {
            enum: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token', 'client_credentials'],
          }),
          ...CLIENT,
          device_code: string('Device code, for the device code grant.'),
          refresh_token: string('Refresh token, for the refresh token grant.'),
          scope: string('Subset of the scopes, separated by spaces.'),
        },
        { grant_type: 'refresh_token', client_id: 'dray-cli', refresh_token: 'dray_ref_…' },
      ),
      responses: answers('Token.', {
        type: 'object',
        required: ['access_token', 'token_type', 'expires_in', 'scope'],
        properties: {
          access_token: string('Access token; send it as `Authorization: Bearer …`.'),
          token_type: string('Token type: Bearer.', { const: 'Bearer' }),
          expires_in: LIFETIME,
          refresh_token: string('Token for the next access token; absent for client_credentials.'),
          scope: string('Granted scopes.'),
        },
      }),
    },
  },
  '/oauth/revoke': {
    post: {
      operationId: 'revoke_token',
      summary: 'Revoke a token',
      description:
        'Revokes a token; a token of a login revokes all tokens of that login (RFC 7009). An unknown token also returns 200.',
      tags: ['login'],
      security: [],
      requestBody: form(
        ['token'],
        {
          token: string('Access or refresh token.'),
          token_type_hint: string('Type of the token.'),
          ...CLIENT,
        },
        { token: 'dray_ref_…', client_id: 'dray-cli' },
      ),
      responses: answers('Token revoked.', { type: 'object' }),
    },
  },
  '/oauth/introspect': {
    post: {
      operationId: 'introspect_token',
      summary: 'Inspect a token',
      description: 'The token itself is the credential (RFC 7662).',
      tags: ['login'],
      security: [],
      requestBody: form(['token'], { token: string('Token.') }, { token: 'dray_sbx_…' }),
      responses: answers('Scopes and expiry of the token.', {
        type: 'object',
        required: ['active'],
        properties: {
          active: { type: 'boolean', description: 'True if the token is valid.' },
          scope: string('Granted scopes, separated by spaces.'),
          client_id: string('Client of the token.'),
          sub: string('Account ID.'),
          username: string('Account name.'),
          token_type: string('Token type: Bearer.', { const: 'Bearer' }),
          iat: { type: 'integer', description: 'Issue time in seconds since 1970.' },
          exp: { type: 'integer', description: 'Expiry time in seconds since 1970.' },
        },
      }),
    },
  },
  '/.well-known/oauth-authorization-server': {
    get: {
      operationId: 'get_authorization_server',
      summary: 'Show the login endpoints',
      description: 'Lists the endpoints, grant types and scopes (RFC 8414).',
      tags: ['login'],
      security: [],
      responses: answer('Server metadata.', {
        type: 'object',
        required: ['issuer', 'token_endpoint', 'scopes_supported', 'grant_types_supported'],
        properties: {
          issuer: string('Issuer of the tokens.'),
          device_authorization_endpoint: string(
            'URL that starts a device login, if users can approve one here.',
          ),
          token_endpoint: string('URL that issues tokens.'),
          revocation_endpoint: string('URL that revokes tokens.'),
          introspection_endpoint: string('URL that describes tokens.'),
          scopes_supported: list('All scopes.'),
          grant_types_supported: list('Supported grant types.'),
        },
      }),
    },
  },
  '/.well-known/oauth-protected-resource': {
    get: {
      operationId: 'get_protected_resource',
      summary: 'Show the authorization server of the service',
      description: 'Names the server that issues the tokens accepted here (RFC 9728).',
      tags: ['login'],
      security: [],
      responses: answer('Server metadata.', {
        type: 'object',
        required: ['resource', 'authorization_servers'],
        properties: {
          resource: string('URL of this service.'),
          authorization_servers: list('Issuers whose tokens the service accepts.'),
          scopes_supported: list('All scopes.'),
        },
      }),
    },
  },
}
