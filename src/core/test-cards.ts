/** The cards of the sandbox, named wherever one is asked for or refused. */
export const TEST_CARDS =
  'tok_ok pays, tok_pending settles 2 minutes later, tok_store pays through the store, tok_declined is refused'

/** Ends the description of a token; a service that is live has no such cards, and this is cut off. */
export const TEST_CARDS_NOTE = `. In a sandbox ${TEST_CARDS}`
