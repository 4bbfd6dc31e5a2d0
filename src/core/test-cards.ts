/** The test cards of the sandbox, named wherever a card is requested or declined. */
export const TEST_CARDS =
  'tok_ok pays, tok_pending settles after 2 minutes, tok_store pays through the store, tok_declined is declined'

/** The last words of a token's description. They are removed for a live service, which has no test cards. */
export const TEST_CARDS_NOTE = `. In a sandbox ${TEST_CARDS}`

/** The same in a tool: errors name the other cards. */
export const TEST_CARD_NOTE = '. In a sandbox tok_ok'
