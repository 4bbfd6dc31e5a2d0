/**
 * The OpenAPI parts for tokens: the security schemes of the document, and the endpoints of RFC 8628, 7009, 7662,
 * 8414, 9728.
 */
import { SCOPES } from '../core/account.ts'
import { PERMISSIONS } from './device-page/words.ts'
import { describeRefusal, ON_EVERY_ANSWER } from './openapi-parts.ts'
import type { Node } from './openapi-schemas.ts'

const DEVICE = '/oauth/device_authorization'
const TOKEN = '/oauth/token'

/** Returns the two security schemes: a bearer token, and the OAuth flow that issues one. */
export function securitySchemes(): Node {
  const scopes = Object.fromEntries(SCOPES.map((scope) => [scope, PERMISSIONS[scope].words]))
  return {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'An opaque access token. Each operation names the one scope it needs.',
    },
    oauth2: {
      type: 'oauth2',
      description:
        'People log in with the device flow (RFC 8628), which OpenAPI 3.1 cannot describe and `x-device-authorization` does; business and carrier accounts use their client id and secret.',
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

const string = (description: string, more: Node = {}): Node => ({ type: 'string', description, ...more })

function form(required: string[], properties: Node, example: Node): Node {
  return {
    required: true,
    content: {
      'application/x-www-form-urlencoded': { schema: { type: 'object', required, properties }, example },
    },
  }
}

/** Returns the responses of an endpoint that reads a form. Its errors are in OAuth's own form. */
function answers(description: string, schema: Node): Node {
  const failed = (text: string): Node => ({
    description: text,
    headers: ON_EVERY_ANSWER,
    content: {
      'application/json': {
        schema: {
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
    400: failed('Refused: `error` tells why (RFC 6749, RFC 8628).'),
    401: failed('`invalid_client`: the client is not known.'),
    429: failed('Too many requests from this address; wait for Retry-After.'),
  }
}

function answer(description: string, schema: Node): Node {
  return {
    200: { description, headers: ON_EVERY_ANSWER, content: { 'application/json': { schema } } },
    403: describeRefusal(403, ['origin_not_allowed']),
  }
}

const list = (description: string): Node => ({ type: 'array', items: { type: 'string' }, description })

const LIFETIME: Node = { type: 'integer', minimum: 0, description: 'Seconds for which it is good.' }

const CLIENT: Node = {
  client_id: string('Client; `dray-cli` is the command line.'),
  client_secret: string('Secret of a business or carrier account.'),
}

/** The paths of the login. */
export const OAUTH_PATHS: Record<string, Node> = {
  [DEVICE]: {
    post: {
      operationId: 'authorize_device',
      summary: 'Log a device in',
      description:
        'Gives a code that a person enters at `verification_uri` while the device asks /oauth/token every `interval` seconds (RFC 8628).',
      tags: ['login'],
      security: [],
      requestBody: form(
        ['client_id'],
        {
          client_id: string('Client; `dray-cli` is the command line.'),
          scope: string('Scopes, separated by spaces; all there are without it.'),
          device_name: string('Name of the device on the page.'),
        },
        { client_id: 'dray-cli', scope: 'food.read food.order' },
      ),
      responses: answers('A code to enter, and one to ask with.', {
        type: 'object',
        required: ['device_code', 'user_code', 'verification_uri', 'expires_in', 'interval'],
        properties: {
          device_code: string('The device asks with it; it is shown to nobody.'),
          user_code: string('Code that the person enters.'),
          verification_uri: string('Where.'),
          verification_uri_complete: string('The same with the code in it.'),
          expires_in: LIFETIME,
          interval: { type: 'integer', minimum: 1, description: 'Seconds between two questions.' },
        },
      }),
    },
  },
  [TOKEN]: {
    post: {
      operationId: 'issue_token',
      summary: 'Get an access token',
      description:
        'For a device that was approved, for a refresh token (which is replaced each time; after a lost answer the old one brings the same pair again within a minute, while that is unused; later it ends the login), or for a client id and secret.',
      tags: ['login'],
      security: [],
      requestBody: form(
        ['grant_type'],
        {
          grant_type: string('Kind of the credential.', {
            enum: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token', 'client_credentials'],
          }),
          ...CLIENT,
          device_code: string('With device_code.'),
          refresh_token: string('With refresh_token.'),
          scope: string('Fewer scopes than there could be, separated by spaces.'),
        },
        { grant_type: 'refresh_token', client_id: 'dray-cli', refresh_token: 'dray_ref_…' },
      ),
      responses: answers('The token.', {
        type: 'object',
        required: ['access_token', 'token_type', 'expires_in', 'scope'],
        properties: {
          access_token: string('Send it as `Authorization: Bearer …`.'),
          token_type: string('Bearer.', { const: 'Bearer' }),
          expires_in: LIFETIME,
          refresh_token: string('Gets the next access token; not for client_credentials.'),
          scope: string('Granted scopes.'),
        },
      }),
    },
  },
  '/oauth/revoke': {
    post: {
      operationId: 'revoke_token',
      summary: 'Give a token up',
      description:
        'Revokes a token; one of a login ends all its tokens (RFC 7009). An unknown token is answered 200, too.',
      tags: ['login'],
      security: [],
      requestBody: form(
        ['token'],
        {
          token: string('Access or refresh token.'),
          token_type_hint: string('Which of the two.'),
          ...CLIENT,
        },
        { token: 'dray_ref_…', client_id: 'dray-cli' },
      ),
      responses: answers('It is not valid any more.', { type: 'object' }),
    },
  },
  '/oauth/introspect': {
    post: {
      operationId: 'introspect_token',
      summary: 'Inspect a token',
      description: 'Whoever holds a token may ask about it (RFC 7662).',
      tags: ['login'],
      security: [],
      requestBody: form(['token'], { token: string('The token.') }, { token: 'dray_sbx_…' }),
      responses: answers('Scopes and end of the token.', {
        type: 'object',
        required: ['active'],
        properties: {
          active: { type: 'boolean', description: 'True if the token is valid.' },
          scope: string('Its scopes, separated by spaces.'),
          client_id: string('To whom it was given.'),
          sub: string('The account.'),
          username: string('The short name of the account.'),
          token_type: string('Bearer.', { const: 'Bearer' }),
          iat: { type: 'integer', description: 'Time of issue, in seconds since 1970.' },
          exp: { type: 'integer', description: 'End of the token, in seconds since 1970.' },
        },
      }),
    },
  },
  '/.well-known/oauth-authorization-server': {
    get: {
      operationId: 'get_authorization_server',
      summary: 'Show the addresses for logins',
      description: 'The addresses above, the grants and the scopes (RFC 8414).',
      tags: ['login'],
      security: [],
      responses: answer('The metadata.', {
        type: 'object',
        required: ['issuer', 'token_endpoint', 'scopes_supported', 'grant_types_supported'],
        properties: {
          issuer: string('Issuer of the tokens.'),
          device_authorization_endpoint: string(
            'Address at which a device login begins, if people can approve one here.',
          ),
          token_endpoint: string('Address that issues tokens.'),
          revocation_endpoint: string('Address that revokes tokens.'),
          introspection_endpoint: string('Address that describes tokens.'),
          scopes_supported: list('Every scope there is.'),
          grant_types_supported: list('Credentials that get a token.'),
        },
      }),
    },
  },
  '/.well-known/oauth-protected-resource': {
    get: {
      operationId: 'get_protected_resource',
      summary: 'Show the authorization server of the service',
      description: 'Which server issues the tokens that are taken here (RFC 9728).',
      tags: ['login'],
      security: [],
      responses: answer('The metadata.', {
        type: 'object',
        required: ['resource', 'authorization_servers'],
        properties: {
          resource: string('This service.'),
          authorization_servers: list('Issuers whose tokens the service accepts.'),
          scopes_supported: list('Every scope there is.'),
        },
      }),
    },
  },
}
