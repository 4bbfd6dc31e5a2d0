/** Texts that are no texts: what a program should have filled in, or has written as it stores it. */

/** `{{customer.name}}`, `${name}`, `%recipient%`, `<%= name %>`, `«Name»`, `*|FNAME|*`, `##NAME##`: a gap of a template within a text. */
const PLACEHOLDER =
  /\{\{[^{}]*\}\}|\{%[^%]*%\}|\{\$[^{}]*\}|\$\{[^{}]*\}|<%[^>]*%>|(?<![\p{L}\d%])%{1,2}[a-z][\w.-]*%{1,2}(?![\p{L}\d])|«[^«»]+»|<<[\w .]+>>|\*\|[\w:]+\|\*|(?<![#@$])(##|@@)[a-z][\w.-]*\1|\[[a-z]+(?:[_.][\w.]+)+\]/iu

/** A text that is nothing but a name between brackets or signs: `{name}`, `[Name]`, `$customer_name$`, `__NAME__`. */
const WHOLE_GAP =
  /^(?:\{[a-z_][\w. -]*\}|\[{1,2}(?=[\w.]*(?:name|address|street|city|town|code|company|customer|recipient|phone|mail|product|item|price|title|_))[a-z][\w.]+\]{1,2}|\$[a-z][\w.]*\$|__[A-Z][A-Z_]+__)$/iu

/** An object or a list of JSON. */
const JSON_TEXT = /^\{\s*"[^"]*"\s*:|^\[\s*(?:\{|")/

/** An object or a list as programs write it, and the fields of a form. */
const DATA = /^\{\s*'[^']*'\s*:|^\[\s*'|^[aO]:\d+:[{"]|^[a-z]\w*=[^&=]*(?:&\w+=[^&=]*)+$/i

/** A tag of HTML. */
const TAG = /<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>|<!\[CDATA\[|\]\]>/gi

/** Tags that begin a line of their own. */
const LINE_TAG = /\s*,?\s*<\/?(?:br|p|div|li|ul|ol|tr|h[1-6])(?:\s[^<>]*)?\/?>\s*/gi

/** A text with any of these characters is looked at. Nearly none has one. */
const SUSPECT = /[{[<%«_$#@*=]|^[aO]:/

/** Returns what a text is instead of one, and what to do; undefined for a sound one. Tags are left to `withoutTags`. */
export function describePlaceholder(text: string): string | undefined {
  if (!SUSPECT.test(text)) return undefined
  if (PLACEHOLDER.test(text) || WHOLE_GAP.test(text.trim()))
    return 'a program did not fill in this placeholder; write the value'
  if (JSON_TEXT.test(text.trim())) return 'it is JSON, and not a text; write the text alone'
  return DATA.test(text.trim()) ? 'it is data of a program, and not a text; write the text alone' : undefined
}

/** Returns whether a text has tags of HTML. */
export function hasTags(text: string): boolean {
  return text.includes('<') && text.search(TAG) >= 0
}

/** Returns a text without its tags; `between` stands for those that begin a line. */
export function withoutTags(text: string, between: string): string {
  const lines = text.replaceAll(LINE_TAG, '\n').replaceAll(TAG, '')
  return lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(between)
}
