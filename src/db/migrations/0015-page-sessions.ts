/** The page that a link or a session of a browser is for. */
export const pageSessions = [
  // Without a name it is for the list of pages, and for those that need no control of the sandbox.
  `alter table page_sessions add column page {text}`,
]
